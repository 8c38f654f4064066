// Tests processes whose machine clock is ten minutes ahead or behind: acceptance and expiry use the database's time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectionSettings } from '../../src/adapters/postgres/connection/database.ts';
import { query } from '../support/accounted.ts';
import { freshDatabase } from '../support/database.ts';
import { isAccepted, submit } from '../support/load.ts';
import { prepareBusiness } from '../support/own-cluster.ts';
import { until } from '../support/patience.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';
import { startProcess } from '../support/process.ts';
import { startTestService, type TestBusiness } from '../support/service.ts';

const skewed = (ms: number) => `const Real = Date; globalThis.Date = class extends Real {
  constructor(...given) { super(...(given.length === 0 ? [Real.now() + ${ms}] : given)); }
  static now() { return Real.now() + ${ms}; }
}`;

for (const minutes of [10, -10]) {
  test(`threat 62: a process whose clock is ${minutes} minutes off`, async (t) => {
    const url = await freshDatabase();
    const business = await prepareBusiness(url);
    const preload = `data:text/javascript,${encodeURIComponent(skewed(minutes * 60_000))}`;
    const settings = { ...SECRETS_KEY, DATABASE_URL: url, NODE_OPTIONS: `--import=${preload}` };
    const { baseUrl } = await startProcess(t, { settings });
    const connection = { connectionString: url };
    // This test must run first, while there is only one process, because transactions expire by the clock of that process.
    await t.test(
      `threat 62: a process whose clock is ${minutes} minutes off accepts and expires by the database's time`,
      () => assertExpires(baseUrl, business, connection),
    );
    await t.test(
      `threat 62: a process whose clock is ${minutes} minutes off serves and expires rates by the database's time, like another process`,
      async () => {
        const neighbour = await startTestService({}, url, business);
        await assertRates([baseUrl, neighbour.baseUrl], business, connection);
        await neighbour.service.close();
      },
    );
  });
}

async function assertExpires(
  baseUrl: string,
  business: TestBusiness,
  connection: ConnectionSettings,
): Promise<void> {
  for (const reference of ['to-come', 'over']) {
    const { outcome } = await submit({ baseUrl, business }, reference);
    assert.ok(isAccepted(outcome), JSON.stringify(outcome));
  }
  const [times] = await query<{ right: boolean }>(
    connection,
    `select bool_and(abs(extract(epoch from now() - created_at)) < 300
       and abs(extract(epoch from expires_at - created_at) - 86400) < 1) as right from transactions`,
  );
  assert.deepEqual(times, { right: true });

  // One transaction expires in five minutes, and one expired five minutes ago. Both are due for a check.
  await query(
    connection,
    `alter table transactions disable trigger only_erasure;
     update transactions set expires_at = now() + case reference when 'over' then -1 else 1 end * interval '5 minutes';
     alter table transactions enable trigger only_erasure;
     update transaction_states set due_at = now() - interval '1 hour'`,
  );
  const stateOf = async (reference: string) => {
    const sql = `select state, due_at = expires_at as put_off
      from transactions join transaction_states on transaction_id = id where reference = $1`;
    return (await query<{ state: string; put_off: boolean | null }>(connection, sql, [reference]))[0]!;
  };
  await until('one is put off until its time', async () => (await stateOf('to-come')).put_off === true);
  await until('the other is expired', async () => (await stateOf('over')).state === 'expired');
  assert.equal((await stateOf('to-come')).state, 'awaiting_payment');
}

async function assertRates(
  urls: readonly string[],
  business: TestBusiness,
  connection: ConnectionSettings,
): Promise<void> {
  const served = async () => {
    const headers = { 'svc-sec-key': business.liveKey };
    const asked = urls.map((url) => fetch(`${url}/rates/v1/usdc-ngnc`, { headers }));
    return (await Promise.all(asked)).map(({ status }) => status).join(' ');
  };
  /** Sets the prices as the desk sets them: valid from now, by the database clock. */
  const setPrices = async (validFor: string) => {
    await query(
      connection,
      `insert into desk_prices
         (mode, product, currency, value_e4, as_of, valid_until, override, confirmed, sample, set_by, approved_by)
       select 'live', 'usdc_ngnc', currency, value_e4, now(), now() + interval '${validFor}', false, true, false, 'a', 'b'
       from desk_prices where mode = 'test' and product = 'usdc_ngnc' and sample`,
    );
  };
  assert.equal(await served(), '503 503');
  await query(
    connection,
    `insert into spreads (mode, product, spread_bps, effective_from, set_by) values ('live', 'usdc_ngnc', 0, now(), 'a')`,
  );
  await setPrices('5 minutes');
  await until('both serve the new book', async () => (await served()) === '200 200');
  await setPrices('1 second');
  await until('it ends in both', async () => (await served()) === '503 503');
}
