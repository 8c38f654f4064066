// Gives settlement the released statement rows of vendors' accounts: credits, and reversals of credits. Rows of other accounts,
// charges and other debits are only for reconciliation and create no line for settlement.
import { REPORT_ONLY_TERMS } from '../../../domain/rails/terms.ts';
import { lagosMidnight } from '../../../domain/statements/days.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { Rail } from '../../../ports/rails/rail.ts';
import type { CreditLine, NoticeLine, RailStatement } from '../../../ports/rails/rail-statement.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  defineColumns,
  of,
  plainColumn,
  timeColumn,
} from '../connection/record-columns.ts';
import { findReversibleCredits, RELEASED_FIELDS, type Released } from './doubts.ts';

const PAGE = 500;
/** The rail name of imported statements. The credit source of an account refers to this name. */
export const STATEMENTS_RAIL = 'statements';

interface Fed extends Released {
  readonly releaseNo: string;
  readonly kind: 'payment' | 'reversal' | 'charge';
  readonly vendorId: string | null;
  readonly valueDay: string | null;
  readonly bookedAtMs: number | null;
  readonly balanceMinor: bigint | null;
  readonly reference: string | null;
  readonly payerName: string | null;
  readonly payerAccount: string | null;
  readonly payerBankName: string | null;
}

const FED = defineColumns<Fed>({
  ...RELEASED_FIELDS,
  ...of(
    'r',
    all(plainColumn, 'releaseNo', 'kind', 'reference', 'payerName', 'payerAccount', 'payerBankName'),
  ),
  ...of('r', {
    bookedAtMs: timeColumn,
    balanceMinor: bigintColumn,
    valueDay: columnFrom('r.value_day::text', plainColumn),
  }),
  vendorId: columnFrom('(select vendor_id from statement_files where id = r.file_id limit 1)', plainColumn),
});

export function makeStatementsRail(database: Database, mode: Mode): Rail {
  return {
    name: STATEMENTS_RAIL,
    pace: { readEveryMs: 2_000, askAfterMs: 60_000 },
    terms: REPORT_ONLY_TERMS,
    ...{ account: null, payouts: null },
    statement: makeStatementFeed(database, mode),
  };
}

export function makeStatementFeed(database: Database, mode: Mode): RailStatement {
  return {
    read: async (position) => {
      const rows = await readReleasedAfter(database, mode, position ?? '0');
      const lines: (CreditLine | NoticeLine)[] = [];
      for (const row of rows) {
        const line = await lineOf(database, row);
        if (line !== null) lines.push(line);
      }
      return { lines, position: rows.at(-1)?.releaseNo ?? position ?? '0' };
    },
  };
}

async function readReleasedAfter(database: Database, mode: Mode, position: string): Promise<readonly Fed[]> {
  const { rows } = await database.query({
    name: 'read-statement-feed',
    text: `select ${FED.list()}
      from statement_rows r where r.mode = $1 and r.release_no > $2 order by r.release_no limit $3`,
    values: [mode, position, PAGE],
  });
  return rows.map(FED.read);
}

/** Returns the source id of a statement row, which never changes. The key contains the account. */
function sourceIdOf({ key, ordinal }: Pick<Released, 'key' | 'ordinal'>): string {
  return `${key}/${ordinal}`;
}

async function lineOf(database: Database, row: Fed): Promise<CreditLine | NoticeLine | null> {
  const { vendorId, amountMinor } = row;
  if (vendorId === null) return null;
  if (row.kind === 'payment' && amountMinor > 0n) return creditOf(row);
  if (row.kind !== 'reversal' || amountMinor > 0n) return null;
  const credits = await findReversibleCredits(database, row);
  if (credits.length !== 1) return null;
  return {
    kind: 'credit_reversed',
    sourceId: sourceIdOf(row),
    about: sourceIdOf(credits[0]!),
    amountMinor: -amountMinor,
    raw: rawOf(row),
  };
}

function creditOf(row: Fed): CreditLine {
  const { amountMinor, payerAccount, payerName, payerBankName, narration, sessionId, balanceMinor } = row;
  const at = row.account.lastIndexOf(':');
  return {
    kind: 'credit',
    sourceId: sourceIdOf(row),
    accountNumber: row.account.slice(at + 1),
    accountBankCode: row.account.slice(0, at),
    ...{ amountMinor, payerAccount, payerName, payerBankName, narration, sessionId, balanceMinor },
    valueAtMs: row.bookedAtMs ?? lagosMidnight(row.valueDay ?? row.day),
    raw: rawOf(row),
  };
}

function rawOf({ fileId: file, line, day, reference }: Fed) {
  return { file, line, day, reference };
}
