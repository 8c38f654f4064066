// Reads the CSV that a local bank exports into the tables of the importer: one row of the file is one row of the statement.
import type { Database } from '../../../src/adapters/postgres/connection/database.ts';
import { daysBetween } from '../../../src/domain/reconciliation/working-days.ts';
import type { AccountOf } from '../../../src/ports/reconciliation/reconciliation-desk.ts';
import { type GivenRow, putStatement } from './statement-rows.ts';

export async function importStatement(
  database: Database,
  of: AccountOf,
  csv: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const rows = csv.trim().split('\r\n').slice(1).map(rowOf);
  let closingMinor = 0n;
  for (const day of daysBetween(from, to)) {
    const ofDay = rows.filter((row) => row.day === day);
    const openingMinor = closingMinor;
    closingMinor = ofDay.at(-1)?.balanceMinor ?? openingMinor;
    await putStatement(database, { ...of, day }, { openingMinor, closingMinor }, ofDay);
  }
}

function rowOf(line: string): GivenRow & { readonly day: string; readonly balanceMinor: bigint } {
  const cells = [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell]) =>
    cell!.startsWith('"') ? cell!.slice(1, -1).replaceAll('""', '"') : cell!,
  );
  const [day, , narration, reference, debit, credit, balance] = cells as [string, ...string[]];
  return {
    ...{ day, narration: narration!, reference: reference || null, balanceMinor: kobo(balance!) },
    amountMinor: kobo(credit!) - kobo(debit!),
    sessionId: /\d{30}/.exec(narration!)?.[0] ?? null,
    kind: kindOf(narration!),
  };
}

function kindOf(narration: string): 'payment' | 'reversal' | 'charge' {
  if (/CHARGE|DUTY|FEE/.test(narration)) return 'charge';
  return narration.startsWith('REVERSAL') ? 'reversal' : 'payment';
}

/** `15000.00` or nothing. */
function kobo(text: string): bigint {
  return text === '' ? 0n : BigInt(text.replace('.', ''));
}
