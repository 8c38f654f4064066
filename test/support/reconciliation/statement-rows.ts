// Stores a day of a statement as the importer does.
import type { Database } from '../../../src/adapters/postgres/connection/database.ts';
import type { AccountDayKey } from '../../../src/ports/reconciliation.ts';

export interface GivenRow {
  readonly amountMinor: bigint;
  readonly narration?: string;
  readonly reference?: string | null;
  readonly sessionId?: string | null;
  readonly kind?: 'payment' | 'reversal' | 'charge';
}

export async function putStatement(
  database: Database,
  { mode, account, day }: AccountDayKey,
  balances: { readonly openingMinor: bigint; readonly closingMinor: bigint },
  rows: readonly GivenRow[],
): Promise<void> {
  const of = [mode, account, day];
  // Normally the service only adds rows. A test may remove them here.
  await database.query({ text: 'alter table statement_rows disable trigger user' });
  await database.query({
    text: 'delete from statement_rows where mode = $1 and account = $2 and day = $3',
    values: of,
  });
  for (const [index, row] of rows.entries())
    await database.query({
      text: `insert into statement_rows (mode, account, day, key, ordinal, amount_minor, narration, reference, session_id, kind,
          file_id, line, seq, at) values ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, 'stf_test', $10, $10, now())`,
      values: [
        ...[...of, `${day}-${index}`, String(row.amountMinor), row.narration ?? ''],
        ...[row.reference ?? null, row.sessionId ?? null, row.kind ?? 'payment', index + 2],
      ],
    });
  await database.query({
    text: `insert into statement_days (mode, account, day, complete, state, opening_minor, closing_minor, rows, profile, updated_at)
      values ($1, $2, $3, true, 'sound', $4, $5, $6, 'generic', clock_timestamp())
      on conflict (mode, account, day) do update set opening_minor = excluded.opening_minor,
        closing_minor = excluded.closing_minor, rows = excluded.rows, updated_at = excluded.updated_at`,
    values: [...of, String(balances.openingMinor), String(balances.closingMinor), rows.length],
  });
}
