// Reconciled days as pages and commands show them. A day is shown with what is known now: a difference that a later day resolved, or that
// people explained in its case, is explained.
import { isExplained, type Reason } from '../../../domain/reconciliation/explain.ts';
import type { Side } from '../../../domain/reconciliation/reconcile.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { DayFilter, DayOf, ReconciledDay, ShownDifference } from '../../../ports/reconciliation.ts';
import type { Database } from '../connection/database.ts';
import { ABOUT, CASE_KIND, RESOLVED } from './cases.ts';
import { differenceOf, ITEM, ITS_ROW, type ShownRow } from './rows.ts';

const OPEN_ON = (day: string) => `i.day <= ${day} and (i.resolved_day is null or i.resolved_day > ${day})`;
/** Of an item and its case: neither a rule nor people have explained it. */
const UNEXPLAINED = `not (i.explained or i.resolved_day is not null or (c.closed_at is not null and c.outcome <> '${RESOLVED}'))`;
const ITS_CASE = `left join cases c on c.mode = i.mode and c.kind = '${CASE_KIND}' and c.about = ${ABOUT}`;

const DAYS = `select r.*, to_char(r.day, 'YYYY-MM-DD') as day_text, o.*,
    case when o.unexplained > 0 then 'differs' when r.statement_minor is null then 'no_statement'
      when o.explained > 0 then 'explained' else 'balanced' end as state
  from reconciliations r cross join lateral (
    select count(*) filter (where not x.unexplained)::int as explained, count(*) filter (where x.unexplained)::int as unexplained,
      coalesce(sum(x.off_minor) filter (where not x.unexplained and x.kind <> 'rail'), 0)::text as explained_minor,
      coalesce(sum(x.off_minor) filter (where x.unexplained and x.kind <> 'rail'), 0)::text as unexplained_minor
    from (select i.off_minor, i.kind, ${UNEXPLAINED} as unexplained from reconciliation_items i ${ITS_CASE}
      where i.mode = r.mode and i.account = r.account and ${OPEN_ON('r.day')}) x) o`;

interface DayRow {
  mode: Mode;
  account: string;
  day_text: string;
  state: ReconciledDay['state'];
  links: number;
  explained: number;
  unexplained: number;
  explained_minor: string;
  unexplained_minor: string;
  rail_minor: string | null;
  rail_books_minor: string | null;
  rail_at: Date | null;
  at: Date;
  [amount: string]: unknown;
}

export async function listDays(database: Database, filter: DayFilter): Promise<readonly ReconciledDay[]> {
  const { mode, account, from, to, state, after, limit } = filter;
  const { rows } = await database.query<DayRow>({
    text: `select * from (${DAYS} where r.mode = $1 and ($2::text is null or r.account = $2)
        and ($3::date is null or r.day >= $3) and ($4::date is null or r.day <= $4)
        and ($5::date is null or r.day < $5 or (r.day = $5 and r.account > $6))) d
      where ($7::text is null or d.state = $7) order by d.day desc, d.account limit $8`,
    values: [mode, account, from, to, after?.day ?? null, after?.account ?? null, state, limit],
  });
  return rows.map(dayOf);
}

export async function findDay(
  database: Database,
  { mode, account, day }: DayOf,
): Promise<ReconciledDay | undefined> {
  const { rows } = await database.query<DayRow>({
    text: `${DAYS} where r.mode = $1 and r.account = $2 and r.day = $3`,
    values: [mode, account, day],
  });
  return rows.map(dayOf)[0];
}

function dayOf(row: DayRow): ReconciledDay {
  const { rail_minor: rail, rail_books_minor: railBooks, rail_at: railAt } = row;
  return {
    ...{ mode: row.mode, account: row.account, day: row.day_text, state: row.state, links: row.links },
    books: sideOf(row, 'books')!,
    statement: sideOf(row, 'statement'),
    rail:
      rail === null
        ? null
        : { balanceMinor: BigInt(rail), booksMinor: BigInt(railBooks!), atMs: railAt!.getTime() },
    ...{ explained: row.explained, unexplained: row.unexplained },
    explainedMinor: BigInt(row.explained_minor),
    unexplainedMinor: BigInt(row.unexplained_minor),
    atMs: row.at.getTime(),
  };
}

function sideOf(row: DayRow, name: 'books' | 'statement'): Side | null {
  if (row[`${name}_minor`] === null) return null;
  const amount = (part: string) => BigInt(row[`${name}${part}_minor`] as string);
  return {
    ...{ openingMinor: amount('_opening'), inMinor: amount('_in'), outMinor: amount('_out') },
    ...{ chargesMinor: amount('_charges'), closingMinor: amount('') },
  };
}

export async function differencesOn(database: Database, of: DayOf): Promise<readonly ShownDifference[]> {
  const { rows } = await database.query<
    ShownRow & {
      resolved_day: string | null;
      case_id: string | null;
      outcome: string | null;
      unexplained: boolean;
    }
  >({
    text: `select ${ITEM}, i.reason,
        to_char(i.on_day, 'YYYY-MM-DD') as on_day, to_char(i.resolved_day, 'YYYY-MM-DD') as resolved_day,
        c.id as case_id, c.outcome, ${UNEXPLAINED} as unexplained
      from reconciliation_items i ${ITS_CASE} ${ITS_ROW}
      where i.mode = $1 and i.account = $2 and ${OPEN_ON('$3::date')} order by unexplained desc, i.day, i.item`,
    values: [of.mode, of.account, of.day],
  });
  return rows.map((row) => ({
    ...differenceOf(row),
    ...laterReason(row),
    ...{ resolvedDay: row.resolved_day, caseId: row.case_id, caseOutcome: row.outcome },
    isExplained: !row.unexplained,
  }));
}

/** Once the other side has it, that is the reason. */
function laterReason(row: ShownRow & { readonly resolved_day: string | null }): {
  readonly reason: Reason;
  readonly onDay: string | null;
} {
  const { reason, on_day: onDay, resolved_day: resolved, kind } = row;
  if (resolved === null || isExplained(reason)) return { reason, onDay: resolved ?? onDay };
  if (kind === 'books') return { reason: 'later_on_statement', onDay: resolved };
  if (kind === 'statement') return { reason: 'later_in_books', onDay: resolved };
  return { reason, onDay: resolved };
}
