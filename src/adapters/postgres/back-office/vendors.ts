// Stores vendors, the operator's bank accounts, in PostgreSQL.
import { ledgerKey } from '../../../domain/ledger/chart-of-accounts.ts';
import { NAIRA } from '../../../domain/values/money.ts';
import type {
  AuditStamp,
  AwaitedMoney,
  BackOffice,
  SettingWrites,
  StoredVendor,
} from '../../../ports/back-office.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  defineColumns,
  of,
  plainColumn,
} from '../connection/record-columns.ts';
import { answerIfTaken, type RunAudited } from './run-audited.ts';

/**
 * The maximum number of rows that a sum counts. It is enough for any sandbox and for most days. If there are more rows, the sum
 * is shown as "at least".
 */
const COUNTED = 5_000;

const MONEY = defineColumns<AwaitedMoney>({
  buys: columnFrom('count(*)::int', plainColumn),
  amountMinor: columnFrom('coalesce(sum(c.amount_minor), 0)', bigintColumn),
  isMore: columnFrom('count(*) > $4', plainColumn),
});
/** The condition on the amount must be the same as the condition of the index open_claims_by_amount. */
const AWAITED = `select v.number, ${MONEY.list()}
  from unnest($2::text[]) v(number) cross join lateral (
    select amount_minor from open_claims
    where vendor_number = v.number and amount_minor > 0 and mode = $1 and expires_at > to_timestamp($3::float8 / 1000)
    limit $4 + 1) c
  group by v.number`;

const VENDOR = defineColumns<Required<StoredVendor>>({
  ...of('v', all(plainColumn, 'id', 'mode', 'name', 'number', 'bank', 'bankCode', 'active')),
  creditSource: columnFrom('s.source', plainColumn),
});

export function makeVendors(
  database: Database,
  logged: RunAudited,
): Pick<
  BackOffice & SettingWrites,
  'addVendor' | 'listVendors' | 'isPayoutAccount' | 'awaitedMoney' | 'changeVendor' | 'setCreditSource'
> {
  return {
    isPayoutAccount: async (mode, account) => {
      const { rows } = await database.query({
        text: 'select from accounts where key = $1',
        values: [ledgerKey(mode, NAIRA, 'bank_out', account)],
      });
      return rows.length > 0;
    },
    addVendor: (vendor, doing) =>
      answerIfTaken(
        logged(doing, 'vendor_added', vendor, async (client) => {
          const { id, mode, name, number, bank, bankCode, active } = vendor;
          await client.query(
            `insert into vendors (id, mode, name, number, bank, bank_code, active, created_at, updated_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
            [id, mode, name, number, bank, bankCode, active, new Date(doing.atMs)],
          );
          return 'added' as const;
        }),
        'account_taken',
      ),
    listVendors: async () => {
      const { rows } = await database.query({
        text: `select ${VENDOR.list()}
          from vendors v left join credit_sources s on s.mode = v.mode and s.account = bank_code || ':' || number
          order by v.mode, v.active desc, v.name, v.id`,
      });
      return rows.map(VENDOR.read);
    },
    awaitedMoney: async (mode, vendorNumbers, nowMs) => {
      const { rows } = await database.query<{ number: string }>({
        name: 'awaited-money',
        text: AWAITED,
        values: [mode, vendorNumbers, nowMs, COUNTED],
      });
      return new Map(rows.map((row) => [row.number, MONEY.read(row)]));
    },
    setCreditSource: (rule, doing) => setCreditSource(logged, rule, doing),
    changeVendor: (id, change, doing) =>
      answerIfTaken(
        logged(doing, 'vendor_changed', { id, ...change }, async (client) => {
          const changed = await client.query(
            `update vendors set name = coalesce($2, name), active = coalesce($3, active), updated_at = $4
             where id = $1`,
            [id, change.name ?? null, change.active ?? null, new Date(doing.atMs)],
          );
          return changed.rowCount === 1 ? ('changed' as const) : ('not_found' as const);
        }),
        'account_taken',
      ),
  };
}

const SET_SOURCE = `insert into credit_sources as s (mode, account, source, others, since)
  values ($1, $2, $3, exists (select from bank_credits where mode = $1 and parent_id is null and source <> $3
    and coalesce(account_bank_code, 'unknown') || ':' || account_number = $2
    and account_number = split_part($2, ':', 2)), $4)
  on conflict (mode, account) do update set source = excluded.source, others = excluded.others,
    version = s.version + 1, since = excluded.since where s.source <> excluded.source`;

function setCreditSource(
  logged: RunAudited,
  { mode, account, source }: Parameters<SettingWrites['setCreditSource']>[0],
  doing: AuditStamp,
): Promise<boolean> {
  return logged(doing, 'credit_source_set', { mode, account, source }, async (client) => {
    // New credits of this bank account wait for this lock. After that, the new credit source decides about them.
    const turn = `credit source ${mode} ${account}`;
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [turn]);
    const { rowCount } = await client.query(SET_SOURCE, [mode, account, source, new Date(doing.atMs)]);
    return rowCount === 1;
  });
}
