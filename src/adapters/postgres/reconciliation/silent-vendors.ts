// Finds silent vendors in PostgreSQL. Only the last sixty days are counted, so the cost of a check does not grow with the age
// of the service.
import type { VendorActivity } from '../../../domain/catalogue/vendors.ts';
import { serviceActor } from '../../../domain/people/actor.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { SilentVendors, VendorSilence } from '../../../ports/reconciliation.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import { all, columnFrom, defineColumns, ms, named, of, plainColumn } from '../connection/record-columns.ts';

const ACTOR = serviceActor('vendors');
const LOOKED_AT = '60 days';
const COMPARED = '30 days';

const RECORD = defineColumns<VendorActivity>({
  vendorId: columnFrom('v.id', plainColumn),
  ...of('l', { lastCreditAtMs: named('at', ms), sinceMs: ms }),
  ...of('n', all(plainColumn, 'unpaid', 'businesses')),
  ...of('b', { paidBefore: named('paid', plainColumn), endedBefore: named('ended', plainColumn) }),
  payersBefore: columnFrom('b.payers', plainColumn),
});

/** Reads claims that ended because they were paid, or because they expired without a payment. */
const RECORDS = `select ${RECORD.list()}
  from vendors v
  cross join lateral (select c.at, greatest(c.at, (select max(x.ended_at) from vendor_silences x where x.vendor_id = v.id)) as since
    from (select max(received_at) as at from bank_credits
      where received_at >= $2::timestamptz - interval '${LOOKED_AT}' and mode = $1 and account_number = v.number
        and account_bank_code is not distinct from v.bank_code and parent_id is null) c) l
  cross join lateral (select count(*)::int as unpaid, count(distinct t.business_id)::int as businesses
    from transactions t join transaction_states s on s.transaction_id = t.id
    where t.created_at > l.since and t.vendor_id = v.id and s.state = 'expired' and s.received_minor = 0) n
  cross join lateral (select count(*) filter (where s.received_minor > 0)::int as paid, count(*)::int as ended,
      count(distinct t.business_id) filter (where s.received_minor > 0)::int as payers
    from transactions t join transaction_states s on s.transaction_id = t.id
    where t.created_at > l.at - interval '${COMPARED}' and t.created_at <= l.at and t.vendor_id = v.id
      and (s.received_minor > 0 or s.state = 'expired')) b
  where v.mode = $1 and v.active order by v.id`;

const SILENCE = defineColumns<VendorSilence>({
  ...of('s', {
    ...all(plainColumn, 'vendorId', 'mode', 'claims', 'takenOff'),
    ...all(ms, 'lastCreditAtMs', 'atMs'),
  }),
  name: columnFrom('v.name', plainColumn),
});
const OPEN = `select ${SILENCE.list()}
  from vendor_silences s join vendors v on v.id = s.vendor_id`;

export function makeSilentVendors(database: Database): SilentVendors {
  return {
    records: async (mode, nowMs) => {
      const { rows } = await database.query({ text: RECORDS, values: [mode, new Date(nowMs)] });
      return rows.map(RECORD.read);
    },
    silence: (vendor, atMs) => markVendorSilent(database, vendor, atMs),
    endOver: async (mode, atMs) => {
      await database.query({
        text: `update vendor_silences s set ended_at = $2 from vendors v
          where s.ended_at is null and s.mode = $1 and v.id = s.vendor_id and case when s.taken_off then v.active
            else not v.active or exists (select from bank_credits c where c.received_at > s.at and c.mode = s.mode
              and c.account_number = v.number and c.account_bank_code is not distinct from v.bank_code) end`,
        values: [mode, new Date(atMs)],
      });
    },
    list: async (mode) => {
      const text = `${OPEN} where s.mode = $1 and s.ended_at is null order by s.at, s.id`;
      return (await database.query({ text, values: [mode] })).rows.map(SILENCE.read);
    },
  };
}

/** Checks of different processes and vendors run one after the other. So the last active vendor always stays on the list. */
async function markVendorSilent(
  database: Database,
  vendor: VendorActivity,
  atMs: number,
): Promise<VendorSilence | undefined> {
  const { vendorId, lastCreditAtMs, unpaid, businesses } = vendor;
  const detail = { id: vendorId, lastCreditAt: new Date(lastCreditAtMs!).toISOString(), unpaid, businesses };
  const logged = makeRunAudited(database);
  const written = await logged({ actor: ACTOR, atMs }, 'vendor.silent', detail, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtextextended('silent vendors', 0))`);
    const { rows } = await client.query<{ mode: Mode; others: boolean }>(
      `select v.mode, exists (select from vendors o where o.mode = v.mode and o.active and o.id <> v.id) as others
        from vendors v where v.id = $1 and v.active`,
      [vendorId],
    );
    if (rows[0] === undefined) return false;
    const { mode, others: takenOff } = rows[0];
    const at = new Date(atMs);
    const added = await client.query(
      `insert into vendor_silences (vendor_id, mode, last_credit_at, claims, businesses, taken_off, at)
        values ($1, $2, $3, $4, $5, $6, $7) on conflict (vendor_id) where ended_at is null do nothing`,
      [vendorId, mode, new Date(lastCreditAtMs!), unpaid, businesses, takenOff, at],
    );
    if (added.rowCount === 0) return false;
    if (takenOff)
      await client.query('update vendors set active = false, updated_at = $2 where id = $1', [vendorId, at]);
    return true;
  });
  if (!written) return undefined;
  const text = `${OPEN} where s.vendor_id = $1 and s.ended_at is null`;
  return (await database.query({ text, values: [vendorId] })).rows.map(SILENCE.read)[0];
}
