// Writes the result of a reconciled day in the same transaction in which the data of the day was read. The differences of this
// day and of later days are replaced, so that a day can be reconciled again when a statement arrives.
import {
  type ExplainedDifference,
  isExplainingReason,
} from '../../../domain/reconciliation/explain-differences.ts';
import type { DayResult, DaySide } from '../../../domain/reconciliation/reconcile.ts';
import type { AccountDayKey } from '../../../ports/reconciliation.ts';
import { type ArrayColumn, columnArrays, inputOf, namesOf } from '../connection/column-arrays.ts';
import type { ReadFacts } from './day-facts.ts';
import { factsText, type QueryClient } from './rows.ts';

export async function forgetDaysFrom(
  client: QueryClient,
  { mode, account, day }: AccountDayKey,
): Promise<void> {
  const values = [mode, account, day];
  const items = 'reconciliation_items where mode = $1 and account = $2';
  await client.query({ text: `delete from ${items} and day >= $3`, values });
  await client.query({
    text: `update reconciliation_items set resolved_day = null where mode = $1 and account = $2 and resolved_day >= $3`,
    values,
  });
  const later = 'delete from reconciliations where mode = $1 and account = $2 and day > $3';
  await client.query({ text: later, values });
}

const COLUMNS: readonly ArrayColumn<ExplainedDifference>[] = [
  ['item', 'text', ({ id }) => id],
  ['kind', 'text', ({ kind }) => kind],
  ['day', 'date', ({ day }) => day],
  ['off_minor', 'bigint', ({ offMinor }) => String(offMinor)],
  ['reason', 'text', ({ reason }) => reason],
  ['explained', 'boolean', ({ reason }) => String(isExplainingReason(reason))],
  ['on_day', 'date', ({ onDay }) => onDay],
  ['facts', 'jsonb', factsText],
];

const sideNames = (side: string) =>
  ['_opening', '_in', '_out', '_charges', ''].map((part) => `${side}${part}_minor`);
const STORED = [
  ...[...sideNames('books'), ...sideNames('statement'), 'before_minor', 'statement_at'],
  ...['rail_minor', 'rail_at', 'rail_books_minor', 'rail_reserved_minor', 'links', 'at'],
];

export async function writeDay(
  client: QueryClient,
  of: AccountDayKey,
  result: DayResult,
  { statementAt, rail, atMs }: Pick<ReadFacts, 'statementAt' | 'rail'> & { readonly atMs: number },
): Promise<void> {
  const { mode, account, day } = of;
  await client.query({
    text: `update reconciliation_items set resolved_day = $3 where mode = $1 and account = $2 and item = any ($4::text[])`,
    values: [mode, account, day, result.resolved],
  });
  await client.query({
    text: `insert into reconciliation_items (mode, account, ${namesOf(COLUMNS)}) select $1, $2, i.* from ${inputOf(COLUMNS, 2)}
      on conflict (mode, account, item) do update set reason = excluded.reason, explained = excluded.explained,
        on_day = excluded.on_day, off_minor = excluded.off_minor, facts = excluded.facts`,
    values: [mode, account, ...columnArrays(COLUMNS, result.open)],
  });
  await client.query({
    text: `insert into reconciliations as t (mode, account, day, version, ${STORED.join(', ')})
      values ($1, $2, $3, 1, ${STORED.map((_, index) => `$${index + 4}`).join(', ')})
      on conflict (mode, account, day) do update set (version, ${STORED.join(', ')})
        = (t.version + 1, ${STORED.map((name) => `excluded.${name}`).join(', ')})`,
    values: [
      ...[mode, account, day, ...sideValues(result.books), ...sideValues(result.statement)],
      ...[amountTextOf(result.beforeMinor), statementAt],
      ...[
        amountTextOf(rail?.balanceMinor),
        rail?.at ?? null,
        amountTextOf(rail?.booksMinor),
        amountTextOf(rail?.reservedMinor),
      ],
      ...[result.links.length, new Date(atMs)],
    ],
  });
}

function sideValues(side: DaySide | null): readonly (string | null)[] {
  return [
    ...[side?.openingMinor, side?.inMinor, side?.outMinor],
    ...[side?.chargesMinor, side?.closingMinor],
  ].map(amountTextOf);
}

function amountTextOf(amountMinor: bigint | null | undefined): string | null {
  return amountMinor === null || amountMinor === undefined ? null : String(amountMinor);
}
