// Finds the credit source of a bank account. Also finds the credits that a report of another source may describe: those with
// the session id of the report, and those with its account and amount within a few days.
import { type CreditSource, sessionKeyOf } from '../../../domain/records/credit.ts';
import { LINK_DAYS, type ReportedCredit } from '../../../domain/reports/link-report.ts';
import type { Store } from '../../../ports/store/store.ts';
import type { Database } from '../connection/database.ts';
import { type AnyRow, CREDITS, REPORTS } from './settlement-rows.ts';

/** The maximum number of credits of an account with the same amount within a few days that are compared. */
const MOST = 500;

const LIKE = `
with found as materialized (
  select x.id as reported_id, t.id from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::float8[], $6::text[])
    as x(id, mode, number, amount_minor, value_ms, session_key)
  cross join lateral (
    (select id from bank_credits where mode = x.mode and session_key = x.session_key limit 1)
    union
    (select id from bank_credits where account_number = x.number and amount_minor = x.amount_minor and parent_id is null
      and value_at between to_timestamp(x.value_ms / 1000) - interval '${LINK_DAYS} days'
        and to_timestamp(x.value_ms / 1000) + interval '${LINK_DAYS} days'
      and mode = x.mode order by value_at limit ${MOST})) t
)
select f.reported_id, (select jsonb_agg(jsonb_build_object('source', source, 'sourceId', source_id, 'sessionId', session_id)
    order by source) from credit_reports where credit_id = c.id and state = 'linked' and not is_repeat) as reported_by, c.* from found f cross join lateral (
  select ${CREDITS.columns} from bank_credits where id = f.id limit 1) c`;

export function makeReportReads(
  database: Database,
): Pick<Store, 'creditSources' | 'creditsLike' | 'findReport'> {
  return {
    creditSources: async (mode, accounts) => {
      if (accounts.length === 0) return new Map();
      const { rows } = await database.query<CreditSource & { account: string }>({
        name: 'credit-sources',
        text: `select account, source, others, version from credit_sources
          where mode = $1 and account = any ($2::text[])`,
        values: [mode, accounts],
      });
      return new Map(rows.map(({ account, ...rule }) => [account, rule]));
    },
    creditsLike: async (reported) => {
      const found = new Map<string, ReportedCredit[]>();
      if (reported.length === 0) return found;
      const { rows } = await database.query<AnyRow>({
        name: 'credits-like',
        text: LIKE,
        values: [
          reported.map(({ id }) => id),
          reported.map(({ mode }) => mode),
          reported.map(({ accountNumber }) => accountNumber),
          reported.map(({ amountMinor }) => amountMinor.toString()),
          reported.map(({ valueAtMs }) => valueAtMs),
          reported.map(sessionKeyOf),
        ],
      });
      for (const row of rows) {
        const { reported_id: id, reported_by: reportedBy } = row;
        found.set(id, [
          ...(found.get(id) ?? []),
          { credit: CREDITS.read(row), reportedBy: reportedBy ?? [] },
        ]);
      }
      return found;
    },
    findReport: async (mode, source, sourceId) => {
      const { rows } = await database.query({
        name: 'find-report',
        text: `select ${REPORTS.columns} from credit_reports where mode = $1 and source = $2 and source_id = $3`,
        values: [mode, source, sourceId],
      });
      return rows[0] && REPORTS.read(rows[0]);
    },
  };
}
