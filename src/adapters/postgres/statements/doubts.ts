// Reversals among the released rows: the one credit that each takes back, or why it is in doubt.
import { isReversalOf, REVERSAL_DAYS } from '../../../domain/statements/narration.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { StatementDoubt } from '../../../ports/statements.ts';
import type { Database } from '../connection/database.ts';

export interface ReleasedRow {
  mode: Mode;
  account: string;
  day: string;
  key: string;
  ordinal: number;
  amount_minor: string;
  narration: string;
  session_id: string | null;
  file_id: string;
  line: number;
}

const facts = (row: Pick<ReleasedRow, 'amount_minor' | 'narration' | 'session_id'>) => ({
  amountMinor: BigInt(row.amount_minor),
  narration: row.narration,
  sessionId: row.session_id,
});

/** The credits that a reversal may take back; exactly one is certain. */
export async function creditsOf(database: Database, reversal: ReleasedRow): Promise<readonly ReleasedRow[]> {
  const { rows } = await database.query<ReleasedRow>({
    name: 'credits-of-reversal',
    text: `select mode, account, day::text, key, ordinal, amount_minor, narration, session_id, file_id, line from statement_rows
      where mode = $1 and account = $2 and amount_minor = $3 and day between $4::date - ${REVERSAL_DAYS} and $4::date
        and kind = 'payment' limit 200`,
    values: [reversal.mode, reversal.account, String(-BigInt(reversal.amount_minor)), reversal.day],
  });
  return rows.filter((row) => isReversalOf(facts(reversal), facts(row)));
}

export async function listDoubts(
  database: Database,
  mode: Mode | null,
  limit: number,
): Promise<readonly StatementDoubt[]> {
  const { rows } = await database.query<ReleasedRow>({
    name: 'released-reversals',
    text: `select r.mode, r.account, r.day::text, r.key, r.ordinal, r.amount_minor, r.narration, r.session_id, r.file_id, r.line
      from statement_rows r join statement_files f on f.id = r.file_id
      where r.kind = 'reversal' and r.release_no is not null and ($1::text is null or r.mode = $1) and f.vendor_id is not null
      order by r.release_no desc limit $2`,
    values: [mode, limit],
  });
  const doubts: StatementDoubt[] = [];
  for (const row of rows) {
    const why = await whyInDoubt(database, row);
    if (why === null) continue;
    doubts.push({
      ...{ mode: row.mode, account: row.account, day: row.day, amountMinor: BigInt(row.amount_minor) },
      ...{ narration: row.narration, fileId: row.file_id, line: row.line, why },
    });
  }
  return doubts;
}

async function whyInDoubt(database: Database, row: ReleasedRow): Promise<string | null> {
  if (BigInt(row.amount_minor) > 0n)
    return 'It came in and says that it is a reversal: it gives no value by itself.';
  const credits = await creditsOf(database, row);
  if (credits.length === 1) return null;
  return credits.length === 0
    ? 'It takes back a credit that is not among the rows of the last 30 days.'
    : `It fits ${credits.length} credits of the last 30 days, and does not say which it takes back.`;
}
