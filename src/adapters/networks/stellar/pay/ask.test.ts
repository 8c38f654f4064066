// Tests that an order is paid again only after a proof. The proof is a response about the account that contains its ledger
// number, or a different transaction with the same sequence number. Two servers must show the proof.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledgerFields, makeView, START_MS } from '../../../../../test/contract/stellar/stellar-fixtures.ts';
import {
  AFTER_MS,
  failedXdr,
  land,
  OTHER,
  other,
  pass,
  stage,
  take,
  VALID_MS,
} from '../../../../../test/support/networks/stellar-asking.ts';
import { makeAsk } from './ask.ts';

const STANDS_STILL_MS = 601_000;

test('a payment in a closed ledger is final, with its fee', async () => {
  const view = makeView();
  const { ask, prepared } = await stage([view]);
  assert.deepEqual(await ask(), { kind: 'pending' });
  land(view, prepared);
  assert.deepEqual(await ask(), {
    kind: 'final',
    hash: prepared.hash,
    evidence: { ledger: 101, closedAt: '2026-11-14T10:00:05Z' },
    unpaid: [],
    cost: { asset: 'XLM', feeMinor: 100n, opened: [] },
  });
  land(view, prepared, { fee_account: 'a stranger who bumped it' });
  const bumped = await ask();
  assert.ok(bumped.kind === 'final' && bumped.cost?.feeMinor === 0n);
});

test('threat 42: an expired payment that is missing at two servers is dead; our own clock is not a proof', async () => {
  const views = [makeView(), makeView()];
  const { ask, chain } = await stage(views);
  chain.time.nowMs = AFTER_MS + 300_000;
  assert.equal((await ask()).kind, 'pending');
  pass(views[0]!);
  assert.equal((await ask()).kind, 'pending', 'the second server lags');
  pass(views[1]!);
  assert.equal((await ask()).kind, 'dead');
});

test('threat 42: a payment is dead only after a ledger closed later than the expiry of the payment', async () => {
  const view = makeView();
  const { ask, prepared } = await stage([view]);
  pass(view, Number(prepared.bound));
  assert.equal((await ask()).kind, 'pending', 'it may be in that very ledger');
  pass(view, Number(prepared.bound) + 1_000);
  const status = await ask();
  assert.ok(status.kind === 'dead');
  assert.deepEqual(status.death.evidence, {
    proof: 'absent',
    bound: new Date(Number(prepared.bound)).toISOString(),
    sequence: '42',
    result: null,
    absences: [{ provider: 'server-0.test', observedAt: '120', impossibleFrom: '120' }],
  });
});

test('threat 42: only the ledger that the response about the account names counts', async () => {
  const view = makeView();
  const { ask } = await stage([view]);
  pass(view);
  const before = { latest: 105, closedAtMs: START_MS + VALID_MS };
  view.at.set('/ledgers/105', ledgerFields(before));
  for (const stated of [105, 106]) {
    view.stated = stated;
    assert.equal((await ask()).kind, 'pending', `the answer names ${stated}, the height is beyond the bound`);
  }
  view.at.set('/ledgers/106', ledgerFields({ latest: 106, closedAtMs: AFTER_MS }));
  assert.equal((await ask()).kind, 'dead');
  view.at.set('/ledgers/106', ledgerFields({ latest: 107, closedAtMs: AFTER_MS }));
  assert.equal((await ask()).kind, 'unknown', 'another ledger was answered');
  view.stated = null;
  const unsaid = await ask();
  assert.ok(unsaid.kind === 'unknown');
  assert.match(unsaid.reason, /header Latest-Ledger is missing/);
});

test('threat 42: a landed payment that is not found by its hash is found in the transaction list of the account', async () => {
  const views = [makeView(), makeView()];
  const { ask, prepared } = await stage(views);
  for (const view of views) {
    pass(view);
    take(view, other(prepared.hash));
  }
  assert.equal((await ask()).kind, 'final');
});

test('threat 46: a server that does not show a landed payment causes no second payment', async () => {
  const views = [makeView(), makeView()];
  const { ask, chain, prepared } = await stage(views);
  for (const view of views) pass(view);
  land(views[1]!, prepared);
  assert.deepEqual(await ask(), { kind: 'unknown', reason: 'the providers disagree' });
  assert.deepEqual(chain.troubles, ['Stellar: the providers disagree about a payment']);
});

test('threat 46: a payment that is missing at a stalled server is not a proof, so another server is queried', async () => {
  const [still, moving] = [makeView(), makeView()];
  const { ask, chain, prepared } = await stage([still, moving]);
  // The server may have stalled even before the payment was signed.
  still.latest -= 5;
  chain.time.nowMs += STANDS_STILL_MS;
  pass(moving, chain.time.nowMs);
  land(moving, prepared);
  assert.equal((await ask()).kind, 'final');
  moving.down = true;
  assert.equal((await ask()).kind, 'unknown');
});

test('a payment is not dead if only one of two servers responds', async () => {
  const views = [makeView(), makeView({ down: true })];
  const { ask } = await stage(views);
  pass(views[0]!);
  assert.deepEqual(await ask(), { kind: 'unknown', reason: 'only one provider answered' });
});

test('threat 46: a large payment is final only when two servers show it', async () => {
  const views = [makeView(), makeView()];
  const { ask, chain, prepared } = await stage(views, { amountMinor: 1_000n });
  land(views[0]!, prepared);
  assert.equal((await ask()).kind, 'pending', 'the second has not taken in that ledger');
  assert.deepEqual(chain.troubles, []);
  pass(views[1]!, START_MS + 10_000);
  assert.equal((await ask()).kind, 'unknown', 'it has, and the payment is not there');
  assert.equal(chain.troubles.length, 1);
  land(views[1]!, prepared);
  assert.equal((await ask()).kind, 'final');
});

test('threat 46: a server without the payment contradicts another server only after it has ingested the ledger of the payment', async () => {
  for (const [latest, kind] of [
    [100, 'pending'],
    [101, 'unknown'],
    [102, 'unknown'],
  ] as const) {
    const views = [makeView(), makeView()];
    const { ask, prepared } = await stage(views, { amountMinor: 1_000n });
    land(views[0]!, prepared);
    views[1]!.latest = latest;
    assert.equal((await ask()).kind, kind, `it has taken in ledger ${latest}`);
  }
});

test('a failure of any amount needs two servers, and names the failed operations', async () => {
  const views = [makeView(), makeView()];
  const { ask, prepared } = await stage(views);
  const failed = { successful: false, result_xdr: failedXdr('txFailed') };
  land(views[0]!, prepared, failed);
  assert.equal((await ask()).kind, 'pending');
  land(views[1]!, prepared, failed);
  const status = await ask();
  assert.ok(status.kind === 'failed' && status.reason === '0: paymentNoTrust');
  assert.deepEqual([status.cost?.feeMinor, status.culprits], [100n, [0]]);
  land(views[1]!, prepared);
  assert.equal((await ask()).kind, 'unknown');
});

test('threat 46: a payment that one server shows as landed and another as displaced is unknown', async () => {
  const views = [makeView(), makeView()];
  const { ask, prepared } = await stage(views, { amountMinor: 1_000n });
  land(views[0]!, prepared);
  take(views[1]!, other(OTHER));
  assert.deepEqual(await ask(), { kind: 'unknown', reason: 'the providers disagree' });
});

test('a history that was cut off, was restarted or belongs to another network is not a proof', async () => {
  for (const change of [{ eldest: 102 }, { latest: 90 }, { passphrase: 'another network' }]) {
    const view = makeView();
    const { ask } = await stage([view]);
    pass(view);
    Object.assign(view, change);
    assert.equal((await ask()).kind, 'pending', JSON.stringify(change));
  }
});

test('a transaction that does not match its hash has an unknown status', async () => {
  const view = makeView();
  const { chain, prepared } = await stage([view]);
  pass(view);
  const other = { ...prepared, hash: 'f'.repeat(64) };
  const status = await makeAsk(chain).ask({ versions: [other], orderIds: ['mov_1'] });
  assert.equal(status.kind, 'unknown');
});
