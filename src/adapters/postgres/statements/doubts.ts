// Finds the reversals among the released statement rows. For each row it returns the one credit that the row reverses, or the
// reason why this is in doubt.
import { isReversalOf, REVERSAL_DAYS } from '../../../domain/statements/narration.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { StatementDoubt } from '../../../ports/statements.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  defineColumns,
  of,
  plainColumn,
} from '../connection/record-columns.ts';

export interface Released {
  readonly mode: Mode;
  readonly account: string;
  readonly day: string;
  readonly key: string;
  readonly ordinal: number;
  readonly amountMinor: bigint;
  readonly narration: string;
  readonly sessionId: string | null;
  readonly fileId: string;
  readonly line: number;
}

export const RELEASED_FIELDS = of('r', {
  ...all(plainColumn, 'mode', 'account', 'key', 'ordinal', 'narration', 'sessionId', 'fileId', 'line'),
  ...{ amountMinor: bigintColumn, day: columnFrom('r.day::text', plainColumn) },
});
const RELEASED = defineColumns<Released>(RELEASED_FIELDS);

/** Finds the credits that a reversal may reverse. The result is certain only if there is exactly one such credit. */
export async function findReversibleCredits(
  database: Database,
  reversal: Released,
): Promise<readonly Released[]> {
  const { rows } = await database.query({
    name: 'credits-of-reversal',
    text: `select ${RELEASED.list()} from statement_rows r
      where mode = $1 and account = $2 and amount_minor = $3 and r.day between $4::date - ${REVERSAL_DAYS} and $4::date
        and kind = 'payment' limit 200`,
    values: [reversal.mode, reversal.account, String(-reversal.amountMinor), reversal.day],
  });
  return rows.map(RELEASED.read).filter((row) => isReversalOf(reversal, row));
}

export async function listDoubts(
  database: Database,
  mode: Mode | null,
  limit: number,
): Promise<readonly StatementDoubt[]> {
  const { rows } = await database.query({
    name: 'released-reversals',
    text: `select ${RELEASED.list()}
      from statement_rows r join statement_files f on f.id = r.file_id
      where r.kind = 'reversal' and r.release_no is not null and ($1::text is null or r.mode = $1) and f.vendor_id is not null
      order by r.release_no desc limit $2`,
    values: [mode, limit],
  });
  const doubts: StatementDoubt[] = [];
  for (const row of rows.map(RELEASED.read)) {
    const why = await whyInDoubt(database, row);
    if (why === null) continue;
    doubts.push({
      ...{ mode: row.mode, account: row.account, day: row.day, amountMinor: row.amountMinor },
      ...{ narration: row.narration, fileId: row.fileId, line: row.line, why },
    });
  }
  return doubts;
}

async function whyInDoubt(database: Database, row: Released): Promise<string | null> {
  if (row.amountMinor > 0n)
    return 'It is incoming money marked as a reversal: by itself it is not counted as a payment.';
  const credits = await findReversibleCredits(database, row);
  if (credits.length === 1) return null;
  return credits.length === 0
    ? 'It takes back a credit that is not among the rows of the 30 days before it.'
    : `It fits ${credits.length} credits of the 30 days before it, and does not say which one it takes back.`;
}
