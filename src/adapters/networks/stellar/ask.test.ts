// What lets an order be paid again must be proven: by height and then status at one server, and again at a second one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk/base';
import {
  accountFields,
  makeChain,
  makeView,
  makeWallet,
  NO_TURN,
  paymentTo,
  START_MS,
  TREASURY,
  type View,
} from '../../../../test/contract/stellar-fixtures.ts';
import type { Payment, Prepared } from '../../../ports/network.ts';
import { makeAsk } from './ask.ts';
import { SERVERS_DIFFER_MS } from './landed.ts';
import { makePrepare } from './prepare.ts';

const VALID_MS = 60_000;
const STANDS_STILL_MS = 601_000;
const AFTER_MS = START_MS + VALID_MS + SERVERS_DIFFER_MS + 1_000;

async function stage(views: readonly View[], payment: Partial<Payment> = {}, agreeFromMinor = 1_000n) {
  const chain = makeChain(views, { validForMs: VALID_MS, agreeFromMinor });
  const { envelopes } = await makePrepare(chain).prepare([paymentTo(makeWallet(views), payment)], NO_TURN);
  const prepared: Prepared = envelopes[0]!;
  const ask = () => makeAsk(chain).ask({ versions: [prepared], orderIds: ['mov_1'] });
  return { chain, prepared, ask };
}

function pass(view: View, closedAtMs = AFTER_MS): void {
  view.closedAtMs = closedAtMs;
  view.latest += 10;
}

function land(view: View, { hash }: Prepared, changes: Record<string, unknown> = {}): void {
  view.at.set(`/transactions/${hash}`, {
    hash,
    successful: true,
    ledger: 101,
    created_at: '2026-11-14T10:00:05Z',
    fee_account: TREASURY,
    fee_charged: '100',
    ...changes,
  });
}

const failedXdr = (code: 'txFailed' | 'txBadSeq') => {
  const payment = xdr.OperationResultTr.payment(xdr.PaymentResult.paymentNoTrust());
  const result =
    code === 'txFailed'
      ? xdr.TransactionResultResult.txFailed([xdr.OperationResult.opInner(payment)])
      : xdr.TransactionResultResult.txBadSeq();
  return new xdr.TransactionResult({
    feeCharged: 100n,
    result,
    ext: xdr.TransactionResultExt.v0(),
  }).toXdr('base64');
};

test('in a closed ledger it is final, with what the network took for it', async () => {
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
  land(view, prepared, { fee_account: 'somebody who bumped it' });
  const bumped = await ask();
  assert.ok(bumped.kind === 'final' && bumped.cost?.feeMinor === 0n);
});

test('threat 42: past the bound and absent at two servers it is dead; our own clock proves nothing', async () => {
  const views = [makeView(), makeView()];
  const { ask, chain } = await stage(views);
  chain.time.nowMs = AFTER_MS + 300_000;
  assert.equal((await ask()).kind, 'pending');
  pass(views[0]!);
  assert.equal((await ask()).kind, 'pending', 'the second server lags');
  pass(views[1]!);
  assert.equal((await ask()).kind, 'dead');
});

test('threat 42: a ledger closed at the very bound, or hardly after it, proves nothing', async () => {
  const view = makeView();
  const { ask, prepared } = await stage([view]);
  for (const afterMs of [0, 1_000, SERVERS_DIFFER_MS]) {
    pass(view, Number(prepared.bound) + afterMs);
    assert.equal((await ask()).kind, 'pending', `${afterMs} ms after the bound`);
  }
  pass(view, Number(prepared.bound) + SERVERS_DIFFER_MS + 1);
  assert.equal((await ask()).kind, 'dead');
});

test('threat 42: the height is read before the status, on each server', async () => {
  const views = [makeView(), makeView()];
  const { ask, prepared } = await stage(views);
  for (const view of views) {
    pass(view);
    view.asked.length = 0;
  }
  assert.equal((await ask()).kind, 'dead');
  for (const { asked } of views) {
    const last = asked.slice(-3);
    assert.deepEqual(last, ['/', `/accounts/${TREASURY}`, `/transactions/${prepared.hash}`]);
  }
});

test('threat 42: what lands between height and status is found', async () => {
  const view = makeView();
  const { ask, prepared } = await stage([view]);
  pass(view);
  const asked = view.asked;
  const push = asked.push.bind(asked);
  asked.push = (path) => {
    if (path === '/') land(view, prepared);
    return push(path);
  };
  assert.equal((await ask()).kind, 'final');
});

test('threat 46: a server that calls a landed payment dead makes nobody pay again', async () => {
  const views = [makeView(), makeView()];
  const { ask, chain, prepared } = await stage(views);
  for (const view of views) pass(view);
  land(views[1]!, prepared);
  assert.deepEqual(await ask(), { kind: 'unknown', reason: 'the providers disagree' });
  assert.deepEqual(chain.troubles, ['Stellar: the providers disagree about a payment']);
});

test('threat 46: a server that stands still is not believed about what it does not have: another one is asked', async () => {
  const [still, moving] = [makeView(), makeView()];
  const { ask, chain, prepared } = await stage([still, moving]);
  // It may have stood still before this was signed, too.
  still.latest -= 5;
  chain.time.nowMs += STANDS_STILL_MS;
  pass(moving, chain.time.nowMs);
  land(moving, prepared);
  assert.equal((await ask()).kind, 'final');
  moving.down = true;
  assert.equal((await ask()).kind, 'unknown');
});

test('with only one of two servers answering nothing is dead', async () => {
  const views = [makeView(), makeView({ down: true })];
  const { ask } = await stage(views);
  pass(views[0]!);
  assert.deepEqual(await ask(), { kind: 'unknown', reason: 'only one provider answered' });
});

test('threat 46: a large payment is final only when two servers have it', async () => {
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

test('a failure is believed of two servers only, whatever the sum, and names the operations', async () => {
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

test('in a ledger without having used up its place it may still land, until its time is over', async () => {
  const view = makeView();
  const { ask, prepared } = await stage([view]);
  land(view, prepared, { successful: false, result_xdr: failedXdr('txBadSeq') });
  assert.equal((await ask()).kind, 'pending');
  pass(view);
  const status = await ask();
  assert.ok(status.kind === 'dead');
  assert.deepEqual(status.cost, { asset: 'XLM', feeMinor: 100n, opened: [] }, 'that ledger took a fee');
  const unpaid = { successful: false, fee_account: 'somebody', result_xdr: failedXdr('txBadSeq') };
  land(view, prepared, unpaid);
  const strangers = await ask();
  assert.ok(strangers.kind === 'dead' && strangers.cost === undefined, 'and not from us');
});

test('a place taken by another transaction is dead, once the history has settled behind it', async () => {
  const view = makeView();
  const { ask } = await stage([view]);
  const sequenceTimeMs = START_MS + 5_000;
  view.at.set(`/accounts/${TREASURY}`, accountFields(TREASURY, { sequence: 42n, sequenceTimeMs }));
  pass(view, sequenceTimeMs);
  assert.equal((await ask()).kind, 'pending');
  pass(view, sequenceTimeMs + SERVERS_DIFFER_MS + 1);
  const status = await ask();
  assert.ok(status.kind === 'dead' && status.evidence.proof === 'sequence_taken');
});

test('a history that was cut off, began anew or belongs to another network proves nothing', async () => {
  for (const change of [{ eldest: 102 }, { latest: 90 }, { passphrase: 'another network' }]) {
    const view = makeView();
    const { ask } = await stage([view]);
    pass(view);
    Object.assign(view, change);
    assert.equal((await ask()).kind, 'pending', JSON.stringify(change));
  }
});

test('bytes that are not those of the hash are never judged', async () => {
  const view = makeView();
  const { chain, prepared } = await stage([view]);
  pass(view);
  const other = { ...prepared, hash: 'f'.repeat(64) };
  const status = await makeAsk(chain).ask({ versions: [other], orderIds: ['mov_1'] });
  assert.equal(status.kind, 'unknown');
});
