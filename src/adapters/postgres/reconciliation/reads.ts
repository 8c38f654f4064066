// Reads reconciled days for pages and commands. A day is shown with what is known now. A difference counts as explained if a
// later day resolved it or people explained it in its case.
import { isExplainingReason } from '../../../domain/reconciliation/explain-differences.ts';
import type { DaySide } from '../../../domain/reconciliation/reconcile.ts';
import type {
  AccountDayKey,
  DifferenceWithCase,
  ReconciledDay,
  ReconciledDayFilter,
} from '../../../ports/reconciliation.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  convertedColumn,
  day,
  defineColumns,
  named,
  part,
  plainColumn,
  timeColumn,
} from '../connection/record-columns.ts';
import { CASE_ABOUT_SQL, CASE_KIND, RESOLVED_OUTCOME } from './cases.ts';
import { DIFFERENCE_FIELDS, JOIN_STATEMENT_ROW } from './rows.ts';

const OPEN_ON = (day: string) => `i.day <= ${day} and (i.resolved_day is null or i.resolved_day > ${day})`;
const UNEXPLAINED = `not (i.explained or i.resolved_day is not null or (c.closed_at is not null and c.outcome <> '${RESOLVED_OUTCOME}'))`;
const ITS_CASE = `left join cases c on c.mode = i.mode and c.kind = '${CASE_KIND}' and c.about = ${CASE_ABOUT_SQL}`;

const DAYS = `select r.*, o.*,
    case when o.unexplained > 0 then 'differs'
      when r.statement_minor is null and exists (select from statement_days l
        where l.mode = r.mode and l.account = r.account and l.day > r.day and l.rows > 0) then 'statement_missing'
      when r.statement_minor is null then 'no_statement'
      when o.explained > 0 then 'explained' else 'balanced' end as state
  from reconciliations r cross join lateral (
    select count(*) filter (where not x.unexplained)::int as explained, count(*) filter (where x.unexplained)::int as unexplained,
      coalesce(sum(x.off_minor) filter (where not x.unexplained and x.kind <> 'rail'), 0) as explained_minor,
      coalesce(sum(x.off_minor) filter (where x.unexplained and x.kind <> 'rail'), 0) as unexplained_minor
    from (select i.off_minor, i.kind, ${UNEXPLAINED} as unexplained from reconciliation_items i ${ITS_CASE}
      where i.mode = r.mode and i.account = r.account and ${OPEN_ON('r.day')}) x) o`;

const side = (name: string) =>
  part<DaySide>({
    ...{
      closingMinor: named(`${name}_minor`, bigintColumn),
      openingMinor: named(`${name}_opening_minor`, bigintColumn),
    },
    ...{
      inMinor: named(`${name}_in_minor`, bigintColumn),
      outMinor: named(`${name}_out_minor`, bigintColumn),
    },
    chargesMinor: named(`${name}_charges_minor`, bigintColumn),
  });
const DAY = defineColumns<ReconciledDay>({
  ...all(plainColumn, 'mode', 'account', 'state', 'links', 'explained', 'unexplained'),
  ...{ day, ...all(bigintColumn, 'explainedMinor', 'unexplainedMinor'), atMs: timeColumn },
  ...{ books: side('books'), statement: side('statement') },
  rail: part<NonNullable<ReconciledDay['rail']>>({
    ...{
      balanceMinor: named('rail_minor', bigintColumn),
      booksMinor: named('rail_books_minor', bigintColumn),
    },
    atMs: named('rail_at', timeColumn),
  }),
});

export async function listDays(
  database: Database,
  filter: ReconciledDayFilter,
): Promise<readonly ReconciledDay[]> {
  const { mode, account, from, to, state, after, limit } = filter;
  const { rows } = await database.query({
    text: `select ${DAY.list('d')} from (${DAYS} where r.mode = $1 and ($2::text is null or r.account = $2)
        and ($3::date is null or r.day >= $3) and ($4::date is null or r.day <= $4)
        and ($5::date is null or r.day < $5 or (r.day = $5 and r.account > $6))) d
      where ($7::text is null or d.state = $7) order by d.day desc, d.account limit $8`,
    values: [mode, account, from, to, after?.day ?? null, after?.account ?? null, state, limit],
  });
  return rows.map(DAY.read);
}

export async function findDay(
  database: Database,
  { mode, account, day }: AccountDayKey,
): Promise<ReconciledDay | undefined> {
  const { rows } = await database.query({
    text: `select ${DAY.list('d')} from (${DAYS} where r.mode = $1 and r.account = $2 and r.day = $3) d`,
    values: [mode, account, day],
  });
  return rows.map(DAY.read)[0];
}

const SHOWN = defineColumns<DifferenceWithCase>({
  ...DIFFERENCE_FIELDS,
  ...{
    reason: columnFrom('i.reason', plainColumn),
    onDay: columnFrom('i.on_day', day),
    resolvedDay: columnFrom('i.resolved_day', day),
    otherAccount: columnFrom(`i.facts ->> 'otherAccount'`, plainColumn),
  },
  ...{ caseId: columnFrom('c.id', plainColumn), caseOutcome: columnFrom('c.outcome', plainColumn) },
  isExplained: columnFrom(
    UNEXPLAINED,
    convertedColumn((unexplained: boolean) => !unexplained),
  ),
});

export async function listDifferencesOn(
  database: Database,
  of: AccountDayKey,
): Promise<readonly DifferenceWithCase[]> {
  const { rows } = await database.query({
    text: `select ${SHOWN.list()}
      from reconciliation_items i ${ITS_CASE} ${JOIN_STATEMENT_ROW}
      where i.mode = $1 and i.account = $2 and ${OPEN_ON('$3::date')} order by ${UNEXPLAINED} desc, i.day, i.item`,
    values: [of.mode, of.account, of.day],
  });
  return rows.map(SHOWN.read).map((shown) => ({ ...shown, ...resolvedReason(shown) }));
}

/** If the difference later appears on the other side (in the books or on the statement), the shown reason says so. */
function resolvedReason(shown: DifferenceWithCase): Pick<DifferenceWithCase, 'reason' | 'onDay'> {
  const { reason, onDay, resolvedDay: resolved, kind } = shown;
  if (resolved === null || isExplainingReason(reason)) return { reason, onDay: resolved ?? onDay };
  if (kind === 'books') return { reason: 'later_on_statement', onDay: resolved };
  if (kind === 'statement') return { reason: 'later_in_books', onDay: resolved };
  return { reason, onDay: reason === 'shown_twice' ? onDay : resolved };
}
