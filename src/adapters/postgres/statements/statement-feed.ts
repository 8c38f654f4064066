// Released rows of vendors' accounts as a statement that settlement reads: credits, and reversals of credits. Rows of other accounts,
// charges and other debits are there for reconciliation and give no line.
import { NO_PAYOUTS } from '../../../domain/rails/terms.ts';
import { lagosMidnight } from '../../../domain/statements/days.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { Rail } from '../../../ports/rails/rail.ts';
import type { CreditLine, NoticeLine, Statement } from '../../../ports/rails/statement.ts';
import type { Database } from '../connection/database.ts';
import { creditsOf, type ReleasedRow } from './doubts.ts';

const PAGE = 500;
/** The name of the rail: what gives value for an account is named by it. */
export const STATEMENTS_RAIL = 'statements';

interface FeedRow extends ReleasedRow {
  release_no: string;
  kind: 'payment' | 'reversal' | 'charge';
  vendor_id: string | null;
  value_day: string | null;
  booked_at: Date | null;
  balance_minor: string | null;
  reference: string | null;
  payer_name: string | null;
  payer_account: string | null;
  payer_bank_name: string | null;
}

export function statementsRail(database: Database, mode: Mode): Rail {
  return {
    name: STATEMENTS_RAIL,
    pace: { readEveryMs: 2_000, askAfterMs: 60_000 },
    terms: NO_PAYOUTS,
    ...{ account: null, payouts: null },
    statement: makeStatementFeed(database, mode),
  };
}

export function makeStatementFeed(database: Database, mode: Mode): Statement {
  return {
    read: async (position) => {
      const rows = await releasedAfter(database, mode, position ?? '0');
      const lines: (CreditLine | NoticeLine)[] = [];
      for (const row of rows) {
        const line = await lineOf(database, row);
        if (line !== null) lines.push(line);
      }
      return { lines, position: rows.at(-1)?.release_no ?? position ?? '0' };
    },
  };
}

async function releasedAfter(database: Database, mode: Mode, position: string): Promise<readonly FeedRow[]> {
  const { rows } = await database.query<FeedRow>({
    name: 'read-statement-feed',
    text: `select r.mode, r.account, r.day::text, r.key, r.ordinal, r.amount_minor, r.narration, r.session_id, r.file_id, r.line,
        r.release_no, r.kind, (select vendor_id from statement_files where id = r.file_id limit 1), r.value_day::text,
        r.booked_at, r.balance_minor, r.reference, r.payer_name, r.payer_account, r.payer_bank_name
      from statement_rows r where r.mode = $1 and r.release_no > $2 order by r.release_no limit $3`,
    values: [mode, position, PAGE],
  });
  return rows;
}

/** Of a row, and the same whenever it is read. The key has the account in it. */
function sourceIdOf({ key, ordinal }: Pick<ReleasedRow, 'key' | 'ordinal'>): string {
  return `${key}/${ordinal}`;
}

async function lineOf(database: Database, row: FeedRow): Promise<CreditLine | NoticeLine | null> {
  if (row.vendor_id === null) return null;
  const amountMinor = BigInt(row.amount_minor);
  if (row.kind === 'payment' && amountMinor > 0n) return creditOf(row, amountMinor);
  if (row.kind !== 'reversal' || amountMinor > 0n) return null;
  const credits = await creditsOf(database, row);
  if (credits.length !== 1) return null;
  return {
    kind: 'credit_reversed',
    sourceId: sourceIdOf(row),
    about: sourceIdOf(credits[0]!),
    amountMinor: -amountMinor,
    raw: rawOf(row),
  };
}

function creditOf(row: FeedRow, amountMinor: bigint): CreditLine {
  const at = row.account.lastIndexOf(':');
  return {
    kind: 'credit',
    sourceId: sourceIdOf(row),
    accountNumber: row.account.slice(at + 1),
    accountBankCode: row.account.slice(0, at),
    amountMinor,
    payerAccount: row.payer_account,
    payerName: row.payer_name,
    payerBankName: row.payer_bank_name,
    narration: row.narration,
    sessionId: row.session_id,
    valueAtMs: row.booked_at?.getTime() ?? lagosMidnight(row.value_day ?? row.day),
    raw: rawOf(row),
    balanceMinor: row.balance_minor === null ? null : BigInt(row.balance_minor),
  };
}

function rawOf({ file_id, line, day, reference }: FeedRow) {
  return { file: file_id, line, day, reference };
}
