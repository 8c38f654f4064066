// Reads one statement file to its end. Every row gets its identity and goes to the staging area of the import, and unreadable
// rows are listed. The file must be about the account of the import. The service refuses a file if the direction of a row is
// uncertain.
import { Coverage } from '../../domain/statements/coverage.ts';
import { type DirectedItem, DirectionFinder } from '../../domain/statements/direction-finder.ts';
import { rowKey } from '../../domain/statements/merge-day.ts';
import { interpretRow } from '../../domain/statements/narration.ts';
import type { ParsedRow, RowProblem, StatementItem } from '../../domain/statements/row.ts';
import {
  type ImportSession,
  type OpenedStatement,
  type ProblemList,
  type StagedRow,
  type StatementTotals,
  UnreadableStatement,
} from '../../ports/statements.ts';
import {
  mayNameAccount,
  namesAccount as namesThisAccount,
  type StatementAccount,
} from './find-statement-account.ts';

const BATCH = 250;
const MOST_PROBLEMS = 1_000;

export interface StatementReadResult {
  readonly coverage: Coverage;
  readonly rows: number;
  readonly pending: number;
  readonly problems: RowProblems;
  /** The days for which the file contradicts itself about the direction of a row, each with the reason. */
  readonly held: ReadonlyMap<string, string>;
  readonly namesAccount: boolean;
  readonly totals: StatementTotals;
}

/** Contains the first thousand problems, and the total number of problems. */
export class RowProblems {
  readonly #list: RowProblem[] = [];
  #total = 0;

  add(problem: RowProblem): void {
    this.#total++;
    if (this.#list.length < MOST_PROBLEMS) this.#list.push(problem);
  }

  get(): ProblemList {
    return { total: this.#total, list: [...this.#list] };
  }
}

export interface ReadStatementFileOptions {
  readonly isBank: (text: string) => boolean;
  /** The current day in Lagos. A row with a later day is a mistake. */
  readonly today: string;
  readonly onRows?: ((rows: number) => Promise<void>) | undefined;
  /**
   * Reads only the parts of the file that name this account, of all accounts that the file names. If it is not set, the file must
   * belong to the account.
   */
  readonly isOneOfMany?: boolean;
}

/** Throws UnreadableStatement. */
export async function readStatementFile(
  opened: OpenedStatement,
  account: StatementAccount,
  session: Pick<ImportSession, 'stage' | 'closingBefore'>,
  { isBank, today, onRows, isOneOfMany = false }: ReadStatementFileOptions,
): Promise<StatementReadResult> {
  const take = new StatementCollector(account, memoiseIsBank(isBank));
  const directions = new DirectionFinder();
  let [first, last]: [string | null, string | null] = [null, null];
  let namesAccount = false;
  let isOwn = !isOneOfMany;
  for await (const items of opened.items) {
    for (const given of items) {
      const item = checkItem(given, today);
      if (item.kind === 'account') {
        isOwn = (isOneOfMany ? namesThisAccount : mayNameAccount)(item.text, account.number);
        if (!isOwn && !isOneOfMany) throw otherAccountRefusal(item.text, account.number);
        namesAccount ||= isOwn;
      }
      if (!isOwn) continue;
      take.all(directions.take(item));
      if (item.kind !== 'row' || item.row.isPending) continue;
      last = item.row.lacks === null ? null : item.row.day;
      if (first === null && last !== null) directions.beginAt(await session.closingBefore(last));
      first ??= item.row.day;
    }
    if (take.staged.length < BATCH) continue;
    await session.stage(take.staged.splice(0));
    await onRows?.(take.rows);
  }
  take.all(directions.end(last === null ? null : await session.closingBefore(last)));
  const refusal = directions.refusal();
  if (refusal !== null) throw new UnreadableStatement(refusal);
  for (const [day, problem] of directions.contradictions()) take.hold(day, problem);
  await session.stage(take.staged);
  await onRows?.(take.rows);
  const { coverage, rows, pending, problems, held, totals } = take;
  return { coverage, rows, pending, problems, held, namesAccount, totals };
}

class StatementCollector {
  readonly coverage = new Coverage();
  readonly problems = new RowProblems();
  readonly held = new Map<string, string>();
  readonly staged: StagedRow[] = [];
  totals: StatementTotals = { inMinor: 0n, outMinor: 0n };
  rows = 0;
  pending = 0;
  readonly #account: StatementAccount;
  readonly #isBank: (text: string) => boolean;

  constructor(account: StatementAccount, isBank: (text: string) => boolean) {
    this.#account = account;
    this.#isBank = isBank;
  }

  all(items: readonly DirectedItem[]): void {
    for (const item of items) this.#one(item);
  }

  #one(item: DirectedItem): void {
    this.coverage.add(item);
    if (item.kind === 'problem' && item.heldDay !== undefined) this.hold(item.heldDay, item.problem);
    else if (item.kind === 'problem') this.problems.add(item.problem);
    if (item.kind !== 'row') return;
    if (item.row.isPending) {
      this.pending++;
      return;
    }
    const row = interpretRow(item.row, this.#isBank);
    const { inMinor, outMinor } = this.totals;
    const { amountMinor } = row;
    this.totals =
      amountMinor > 0n
        ? { inMinor: inMinor + amountMinor, outMinor }
        : { inMinor, outMinor: outMinor - amountMinor };
    this.staged.push({ seq: ++this.rows, key: rowKey(this.#account.account, row), row });
  }

  hold(day: string, problem: RowProblem): void {
    this.problems.add(problem);
    if (!this.held.has(day)) this.held.set(day, `Line ${problem.line} of a file: ${problem.reason}.`);
  }
}

const MOST_REMEMBERED = 100;

/**
 * Most rows contain the same few bank names. Only a few names are cached, because a cached text may keep its whole chunk of the
 * file in memory.
 */
function memoiseIsBank(isBank: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const is = isBank(text);
    known.set(text, is);
    return is;
  };
}

/** The maximum that the database can store. */
const MOST_MINOR = 2n ** 63n - 1n;
const MOST_TEXT = 4_000;

/** If a row cannot be stored unchanged, the service reports it as a problem. */
function checkItem(item: StatementItem, today: string): StatementItem {
  if (item.kind !== 'row') return item;
  const { line, column } = item.row;
  const reason = findRowProblem(item.row, today);
  if (reason !== null) return { kind: 'problem', problem: { line, column, reason } };
  const narration = item.row.narration.replaceAll(/[ \t\u00a0]{2,}/g, ' ').slice(0, MOST_TEXT);
  return { kind: 'row', row: { ...item.row, narration } };
}

function findRowProblem(row: ParsedRow, today: string): string | null {
  const { amountMinor, balanceMinor } = row;
  const isHuge = (minor: bigint) => minor > MOST_MINOR || minor < -MOST_MINOR;
  if (isHuge(amountMinor) || (balanceMinor !== null && isHuge(balanceMinor)))
    return 'the amount is too large';
  if (row.day > today && !row.isPending) return 'the date is in the future: are day and month swapped?';
  const texts = [
    row.narration,
    row.reference,
    row.payer?.name,
    row.payer?.account,
    row.payer?.bankName,
    row.session?.text,
  ];
  return texts.some((text) => text?.includes('\u0000')) ? 'the row has a NUL character' : null;
}

function otherAccountRefusal(text: string, number: string): UnreadableStatement {
  const end = (digits: string) => `…${digits.slice(-4)}`;
  return new UnreadableStatement(
    `The file belongs to another account: it names ${end(text.trim())}, but the chosen account is ${end(number)}. Nothing was imported. A file with several accounts is imported with --every-account.`,
  );
}
