// Stores one case for each unexplained difference of a reconciliation. If a later day explains the difference, its case ends as
// `resolved`. If the difference appears again, the same case is reopened.
import { serviceActor } from '../../../domain/people/actor.ts';
import type { Difference } from '../../../domain/reconciliation/items.ts';
import type { AccountKey, CaseChanges } from '../../../ports/reconciliation.ts';
import { defineColumns } from '../connection/record-columns.ts';
import { caseAboutOf, DIFFERENCE_FIELDS, type QueryClient } from './rows.ts';

export const CASE_KIND = 'reconciliation_difference';
export const RESOLVED_OUTCOME = 'resolved';
const ACTOR = serviceActor('reconciliation');

/** The subject of the case about a difference `i`, in the form that `caseAboutOf` returns. */
export const CASE_ABOUT_SQL = `i.account || ' ' || to_char(i.day, 'YYYY-MM-DD') || ' ' || i.kind || ' ' || i.item`;

const { item: _item, row: _row, ...SHORT } = DIFFERENCE_FIELDS;
const OPEN = defineColumns<Omit<Difference, 'item' | 'row'>>(SHORT);

export async function settleDifferenceCases(
  client: QueryClient,
  { mode, account }: AccountKey,
  newId: () => string,
  atMs: number,
): Promise<CaseChanges> {
  const at = new Date(atMs);
  const { rows } = await client.query({
    text: `select ${OPEN.list()} from reconciliation_items i
      where mode = $1 and account = $2 and resolved_day is null and not explained order by i.day, i.item`,
    values: [mode, account],
  });
  const open = rows.map(OPEN.read).map((difference) => ({
    about: caseAboutOf(account, difference),
    amount: String(difference.offMinor).replace('-', ''),
  }));
  const abouts = open.map(({ about }) => about);
  const opened = await client.query({
    text: `insert into cases as t (id, kind, mode, amount_minor, opened_at, about)
      select x.id, '${CASE_KIND}', $1, x.amount, $2, x.about from unnest($3::text[], $4::bigint[], $5::text[]) x(id, amount, about)
      on conflict (mode, kind, about) where about is not null do update
        set closed_at = null, closed_by = null, outcome = null, version = t.version + 1, amount_minor = excluded.amount_minor
        where t.outcome = '${RESOLVED_OUTCOME}'`,
    values: [mode, at, open.map(newId), open.map(({ amount }) => amount), abouts],
  });
  const resolved = await client.query({
    text: `update cases set closed_at = $3, closed_by = $4, outcome = '${RESOLVED_OUTCOME}', version = version + 1
      where mode = $1 and kind = '${CASE_KIND}' and closed_at is null and starts_with(about, $2 || ' ')
        and about <> all ($5::text[])`,
    values: [mode, account, at, ACTOR, abouts],
  });
  return { opened: opened.rowCount ?? 0, resolved: resolved.rowCount ?? 0 };
}
