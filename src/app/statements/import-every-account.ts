// Imports a file that names several accounts: the rows of each account go to that account of ours. The file is read once to find
// the accounts, and once for each of them, so each account's rows are imported completely or not at all. Each account without a
// credit source asks for itself.
import type { Mode } from '../../domain/values/mode.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import { type OpenedStatement, StatementReadersBusy, UnreadableStatement } from '../../ports/statements.ts';
import {
  type FindStatementAccountDeps,
  listStatementAccounts,
  namesAccount,
  type StatementAccount,
  type StatementRefusal,
} from './find-statement-account.ts';
import { type ImportStatementDeps, type ImportSummary, importStatement } from './import-statement.ts';

export type EveryAccountDeps = ImportStatementDeps & FindStatementAccountDeps;

export interface EveryAccountRequest {
  readonly mode: Mode;
  readonly name: string;
  /** Opens the file from its beginning. */
  readonly open: () => AsyncIterable<Uint8Array>;
  readonly size: number;
  readonly profile: string | null;
  readonly profileChange: boolean;
  readonly dryRun: boolean;
  /** By account: the number of new incoming rows for which a person confirmed an import without a credit source. */
  readonly withoutSource: ReadonlyMap<string, number>;
  readonly actor: string;
}

/** What became of the rows of one account in the file. */
export interface AccountOutcome {
  /** Our account, or the end of the number that the file names. */
  readonly account: string;
  readonly result: Result<ImportSummary, StatementRefusal>;
}

/** More accounts do not belong to one statement. */
const MOST_ACCOUNTS = 50;

export async function importEveryAccount(
  deps: EveryAccountDeps,
  request: EveryAccountRequest,
): Promise<Result<readonly AccountOutcome[], StatementRefusal>> {
  let named: ReadonlyMap<string, number>;
  try {
    named = await findNamedAccounts(deps, request);
  } catch (error) {
    if (error instanceof UnreadableStatement) return fail({ code: 'invalid', message: error.message });
    if (error instanceof StatementReadersBusy)
      return fail({ code: 'state_conflict', message: error.message });
    throw error;
  }
  const own = await listStatementAccounts(deps, request.mode);
  const found = new Map<StatementAccount, string>();
  const outcomes: AccountOutcome[] = [];
  for (const [text, rows] of named) {
    const fitting = own.filter(({ number }) => namesAccount(text, number));
    if (fitting.length === 1) found.set(fitting[0]!, text);
    else outcomes.push(refuseAccount(text, rows, fitting.length));
  }
  for (const account of found.keys()) {
    const { name, profile, profileChange, dryRun, size, actor } = request;
    const result = await importStatement(deps, {
      ...{ account, name, profile, profileChange, dryRun, actor },
      ...{ bytes: request.open(), size, isOneOfMany: true },
      withoutSource: request.withoutSource.get(account.account) ?? null,
    });
    outcomes.push({ account: account.account, result });
  }
  return ok(outcomes);
}

/** The account texts of the file, with the number of rows below each. Throws UnreadableStatement. */
async function findNamedAccounts(
  { statementReaders }: EveryAccountDeps,
  { open, profile }: EveryAccountRequest,
): Promise<ReadonlyMap<string, number>> {
  const opened = await statementReaders.open(open(), profile);
  try {
    return await countRowsByAccount(opened);
  } finally {
    await opened.close();
  }
}

async function countRowsByAccount({ items: groups }: OpenedStatement): Promise<ReadonlyMap<string, number>> {
  const named = new Map<string, number>();
  let current: string | null = null;
  for await (const items of groups)
    for (const item of items) {
      if (item.kind === 'account') {
        current = item.text;
        named.set(current, named.get(current) ?? 0);
      } else if (item.kind === 'row') {
        if (current === null)
          throw new UnreadableStatement(
            `Line ${item.row.line} stands before any account number, so it is not certain whose row it is. Choose the account of the file. Nothing was imported.`,
          );
        named.set(current, named.get(current)! + 1);
      }
      if (named.size > MOST_ACCOUNTS)
        throw new UnreadableStatement(
          `The file names more than ${MOST_ACCOUNTS} accounts. Nothing was imported.`,
        );
    }
  if (named.size === 0)
    throw new UnreadableStatement(
      'The file names no account. Choose the account of the file. Nothing was imported.',
    );
  return named;
}

function refuseAccount(text: string, rows: number, fitting: number): AccountOutcome {
  const end = `…${text.trim().slice(-4)}`;
  const what = rows === 1 ? '1 row was' : `${rows} rows were`;
  const message =
    fitting === 0
      ? `No vendor or payout account has the number ${end}. Its ${what} not imported.`
      : `${fitting} of our accounts may have the number ${end}, which the file masks. Its ${what} not imported.`;
  return { account: end, result: fail({ code: 'not_found', message }) };
}

/** The form of confirmations is `058:0123456789=120,044:0123456780=3`. Undefined: the text has another form. */
export function parseWithoutSource(text: string): ReadonlyMap<string, number> | undefined {
  const parts = text.split(',').map((part) => /^([^=,\s]{1,100})=([0-9]{1,9})$/.exec(part.trim()));
  if (parts.some((part) => part === null)) return undefined;
  return new Map(parts.map((part) => [part![1]!, Number(part![2])]));
}

/** Confirms the questions of all accounts, in the form of `parseWithoutSource`; null: no account asks. */
export function confirmationOf(outcomes: readonly AccountOutcome[]): string | null {
  const parts = outcomes.flatMap(({ account, result }) =>
    result.ok && result.value.question !== null ? [`${account}=${result.value.question.incoming}`] : [],
  );
  return parts.length === 0 ? null : parts.join(',');
}
