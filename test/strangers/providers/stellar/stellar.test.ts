// Each fault of the Horizon provider must change exactly the responses that it describes, in the described way.
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { FaultOptions, Provider } from '../faults.ts';
import { startUpstream, type TinyUpstream } from '../tiny-upstream.ts';
import { startStellarProvider } from './stellar.ts';
import { FAULTS, type StellarFault } from './stellar-names.ts';

const ACCOUNT = 'GDAT5HWTGIU4TSSZ4752OUC4SABDLTLZFRPZUJ3D6LKBNEPA7V2CIG54';
const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
// The envelope and its sequence are from https://github.com/stellar-deprecated/horizon/issues/330
const ENVELOPE =
  'AAAAALigS9bWBGSZb/b2DxfAVMVeWktk2IhGRIE7CMaqlf8zAAAAZAAJZqQAAAMeAAAAAAAAAAAAAAABAAAAAAAAAAEAAAAA' +
  'jNsoSdqPFb2bmzzfj3buFDSVfgawK5btZGeeQ95hGZ8AAAAAAAAAAACYloAAAAAAAAAAAaqV/zMAAABA8LhIzi2jawhQbOeA' +
  '7O0Vr/mrMrHwIyouH21aBvuTALljTOp1AWQDY+ohm1Y7hfBnNtr+q0VWphK81VjljWAcDQ==';
// An envelope of the later form on the test network, from https://github.com/stellar/go-stellar-sdk/issues/5192
const LATER_ENVELOPE =
  'AAAAAgAAAACI3DQX1QWOxLRQPgwS6hoKib4gD+mJIkI9QzQBT6aw7gAAJxAAAYJ5AAABZAAAAAAAAAABAAAAHEJXUnhramQ5' +
  'V3VkdXVrZXdrakN1dVVjQlk0YWgAAAABAAAAAQAAAACI3DQX1QWOxLRQPgwS6hoKib4gD+mJIkI9QzQBT6aw7gAAAAEAAAAA' +
  'O5kROA7+mIugqJAOsc/kTzZvfb6Ua+0HckD39iTfFcUAAAAAAAAAAAAAA/IAAAAAAAAAAU+msO4AAABANwm//iyoc4FjpAp4' +
  'awoQLQmakCKF4HNiNZp02fm+cHZtJ1QOKR6ZjZGPUipUj/AkyhYDtqOBMNfXvR49YExTCg==';
const HASH = 'f'.repeat(64);

interface Got {
  readonly status: number;
  readonly ledger: string | null;
  readonly json: unknown;
}

const payment = (ledger: number) => ({
  id: String(BigInt(ledger) << 32n),
  paging_token: String(BigInt(ledger) << 32n),
  transaction_successful: true,
  created_at: '2026-01-01T10:00:00Z',
  transaction_hash: `hash${ledger}`,
  asset_code: 'USDC',
  asset_issuer: 'GISSUER',
  amount: '1.5000000',
});
const PAYMENTS = [payment(91), payment(95), payment(100)];
const page = (records: readonly unknown[], next = 'http://h/payments?cursor=9') => ({
  _links: { self: { href: 'http://h/payments' }, next: { href: next } },
  _embedded: { records },
});
const TRANSACTION = { hash: HASH, successful: true, ledger: 95, created_at: '2026-01-01T10:00:00Z' };
const CLOSED = { sequence: 100, closed_at: '2026-01-01T10:00:00Z', hash: 'l100' };
const ROOT = { network_passphrase: 'Test SDF Network ; September 2015', history_latest_ledger: 100 };

const CALLS: Readonly<Record<string, string>> = {
  root: '/',
  transaction: `/transactions/${HASH}`,
  payments: `/accounts/${ACCOUNT}/payments?order=asc`,
  account: `/accounts/${ACCOUNT}`,
  ledgers: '/ledgers?order=desc&limit=1',
  fees: '/fee_stats',
  send: 'POST /transactions',
};

let balance = '7.0000000';
let upstream: TinyUpstream;
let provider: Provider<StellarFault>;
const shown = new Set<StellarFault>(
  // providers.test.ts tests these faults, because they are the same for every family of networks.
  ['slow', 'cut', 'too_many', 'html', 'half_json', 'doubled_keys', 'doubled'],
);

function truthOf(path: string): unknown {
  if (path === '/') return ROOT;
  if (path.startsWith('/transactions')) return TRANSACTION;
  if (path.includes('cursor=5')) return page(PAYMENTS.slice(2));
  if (path.includes('/payments')) return page(PAYMENTS);
  if (path.startsWith('/accounts')) return { sequence: '41000', balances: [{ balance }] };
  return path.startsWith('/ledgers') ? page([CLOSED]) : { last_ledger: '100' };
}

async function ask(path: string, tx = ENVELOPE): Promise<Got> {
  const isPost = path.startsWith('POST ');
  const answer = await fetch(`${provider.url}${path.replace('POST ', '')}`, {
    ...(isPost ? { method: 'POST', body: new URLSearchParams({ tx }) } : {}),
  });
  return { status: answer.status, ledger: answer.headers.get('latest-ledger'), json: await answer.json() };
}

/** Returns the responses of all calls that a fault changes, and checks that all other responses are true. */
async function changedBy(
  fault: StellarFault,
  options: FaultOptions = {},
): Promise<Readonly<Record<string, Got>>> {
  shown.add(fault);
  provider.clear();
  provider.use(fault, options);
  const had = provider.seen()[fault];
  const changed: Record<string, Got> = {};
  for (const [name, path] of Object.entries(CALLS)) {
    const got = await ask(path);
    const truth = { status: 200, ledger: '100', json: truthOf(path.replace('POST ', '')) };
    if (JSON.stringify(got) !== JSON.stringify(truth)) changed[name] = got;
  }
  assert.equal(provider.seen()[fault] - had, Object.keys(changed).length);
  return changed;
}

async function bodiesBy(
  fault: StellarFault,
  options: FaultOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  const changed = await changedBy(fault, options);
  return Object.fromEntries(Object.entries(changed).map(([name, { json }]) => [name, json]));
}

function isSigned(envelope: string, keyAt: number, hash: string): boolean {
  const bytes = Buffer.from(envelope, 'base64');
  const x = bytes.subarray(keyAt, keyAt + 32).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(hash, 'hex'), key, bytes.subarray(-64));
}

const sent = () => upstream.asked.filter(({ method }) => method === 'POST').length;

before(async () => {
  upstream = await startUpstream(({ url }) => ({
    headers: { 'Latest-Ledger': '100' },
    body: JSON.stringify(truthOf(url)),
  }));
});

beforeEach(async () => {
  balance = '7.0000000';
  await provider?.close();
  provider = await startStellarProvider({ upstream: upstream.url, seed: 4 });
  upstream.asked.length = 0;
});

after(async () => {
  await provider.close();
  await upstream.close();
  assert.deepEqual(
    FAULTS.filter((fault) => !shown.has(fault)),
    [],
    'faults without a test',
  );
});

describe('the test proxy for Horizon', () => {
  it('reports another network, and denies that transactions exist', async () => {
    const network_passphrase = 'Public Global Stellar Network ; September 2015';
    assert.deepEqual(await bodiesBy('another_network'), { root: { ...ROOT, network_passphrase } });
    const missing = await changedBy('transaction_missing', { about: HASH });
    assert.deepEqual([Object.keys(missing), missing.transaction?.status], [['transaction'], 404]);
    assert.deepEqual(await changedBy('transaction_missing', { about: 'e'.repeat(64) }), {});
    assert.deepEqual(await bodiesBy('says_failed'), { transaction: { ...TRANSACTION, successful: false } });
  });

  it('returns false results for submitted transactions', async () => {
    const applied = await changedBy('timeout_though_applied');
    assert.deepEqual([Object.keys(applied), applied.send?.status, sent()], [['send'], 504, 1]);
    assert.equal((await changedBy('timeout_not_applied')).send?.status, 504);
    assert.equal(sent(), 1);
    const again = (await changedBy('bad_seq_though_applied')).send;
    assert.equal(again?.status, 400);
    assert.match(JSON.stringify(again.json), /"result_codes":\{"transaction":"tx_bad_seq"\}/);
    assert.equal(sent(), 2);
  });

  it('returns tx_bad_seq only for a transaction that was submitted before, unless configured for the first submission', async () => {
    assert.deepEqual(await changedBy('bad_seq_though_applied'), {});
    await provider.close();
    provider = await startStellarProvider({ upstream: upstream.url });
    assert.equal((await changedBy('bad_seq_though_applied', { first: true })).send?.status, 400);
  });

  it('returns the true hash of a transaction that it drops', async () => {
    await provider.close();
    const passphrase = 'Public Global Stellar Network ; September 2015';
    provider = await startStellarProvider({ upstream: upstream.url, passphrase });
    const dropped = (await bodiesBy('dropped')).send as { hash: string; successful: boolean };
    assert.ok(isSigned(ENVELOPE, 4, dropped.hash));
    assert.equal(sent(), 0);
    assert.deepEqual(Object.keys(await changedBy('dropped', { about: dropped.hash })), ['send']);
    await provider.close();
    provider = await startStellarProvider({ upstream: upstream.url });
    provider.use('dropped');
    await ask('/');
    const later = (await ask('POST /transactions', LATER_ENVELOPE)).json as { hash: string };
    assert.ok(isSigned(LATER_ENVELOPE, 8, later.hash));
  });

  it('omits, repeats and reorders records', async () => {
    const [a, b, c] = PAYMENTS;
    const about = 'hash95';
    assert.deepEqual(await bodiesBy('records_hole', { about }), { payments: page([a, c]) });
    assert.deepEqual(await bodiesBy('records_lag', { by: 5 }), { payments: page([a, b]) });
    assert.deepEqual(await bodiesBy('record_twice', { about }), { payments: page([a, b, b, c]) });
    const failed = { ...b, transaction_successful: false };
    assert.deepEqual(await bodiesBy('records_say_failed', { about }), { payments: page([a, failed, c]) });
    const mixed = (await bodiesBy('records_unordered', { about: ACCOUNT })).payments as ReturnType<
      typeof page
    >;
    assert.notDeepEqual(mixed, page(PAYMENTS));
    assert.equal(mixed._embedded.records.length, 3);
    const other = { ...b, asset_issuer: ISSUER };
    assert.deepEqual(await bodiesBy('other_issuer', { about }), { payments: page([a, other, c]) });
    const next = String((95n << 32n) + 1n);
    const added = await bodiesBy('other_issuer', { about, extra: true });
    assert.deepEqual(added, { payments: page([a, b, { ...other, id: next, paging_token: next }, c]) });
  });

  it('ignores the cursor, and returns links to another host', async () => {
    shown.add('cursor_ignored');
    await ask(`${CALLS.payments}`);
    provider.use('cursor_ignored');
    assert.deepEqual((await ask(`${CALLS.payments}&cursor=5`)).json, page(PAYMENTS));
    provider.clear();
    assert.deepEqual((await ask(`${CALLS.payments}&cursor=5`)).json, page(PAYMENTS.slice(2)));
    const elsewhere = await bodiesBy('next_elsewhere', { value: 'https://evil.invalid' });
    const next = 'https://evil.invalid/payments?cursor=9';
    assert.deepEqual(elsewhere, { payments: page(PAYMENTS, next), ledgers: page([CLOSED], next) });
  });

  it('returns account data that is behind or ahead', async () => {
    const balances = [{ balance }];
    assert.deepEqual(await bodiesBy('sequence_behind'), { account: { sequence: '40999', balances } });
    assert.deepEqual(await bodiesBy('sequence_ahead', { by: 2 }), {
      account: { sequence: '41002', balances },
    });
    balance = '9.0000000';
    assert.deepEqual(await bodiesBy('balances_lag'), { account: { sequence: '41000', balances } });
  });

  it('returns ledgers, headers and times that are behind or ahead', async () => {
    const lag = await bodiesBy('ledgers_lag', { by: 10 });
    assert.deepEqual(Object.keys(lag), ['root', 'ledgers', 'fees']);
    assert.match(JSON.stringify(lag.ledgers), /"sequence":90,"closed_at":"2026-01-01T09:59:10Z"/);
    assert.deepEqual([lag.root, lag.fees], [{ ...ROOT, history_latest_ledger: 90 }, { last_ledger: '90' }]);
    for (const [fault, ledger] of [
      ['header_missing', null],
      ['header_behind', '97'],
      ['header_ahead', '103'],
    ] as const) {
      const changed = await changedBy(fault, { by: 3 });
      assert.equal(Object.keys(changed).length, Object.keys(CALLS).length);
      assert.deepEqual(changed.account, { status: 200, ledger, json: truthOf(`/accounts/${ACCOUNT}`) });
    }
    const closed = await bodiesBy('closed_at_wrong', { by: -2 });
    assert.deepEqual(closed, { ledgers: page([{ ...CLOSED, closed_at: '2026-01-01T08:00:00Z' }]) });
    const created = await changedBy('created_at_wrong', { by: 1, method: 'GET' });
    assert.deepEqual(Object.keys(created), ['transaction', 'payments']);
    const history = await changedBy('created_at_wrong', { by: 1 });
    assert.deepEqual(Object.keys(history), ['transaction', 'payments', 'send']);
    const stale = await changedBy('stale_history', { method: 'payments' });
    assert.deepEqual([Object.keys(stale), stale.payments?.status], [['payments'], 503]);
  });

  it('uses another notation for amounts', async () => {
    const records = PAYMENTS.map((record) => ({ ...record, amount: '1.5' }));
    const account = { sequence: '41000', balances: [{ balance: '7' }] };
    assert.deepEqual(await bodiesBy('plain_amounts'), { payments: page(records), account });
  });
});
