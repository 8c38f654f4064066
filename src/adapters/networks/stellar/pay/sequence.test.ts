// Tests when a used sequence number proves a payment dead. Two servers must show the transaction that used it, and that
// transaction must not be our own payment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ISSUER, makeView } from '../../../../../test/contract/stellar/stellar-fixtures.ts';
import {
  failedXdr,
  land,
  OTHER,
  other,
  pass,
  stage,
  take,
} from '../../../../../test/support/networks/stellar-asking.ts';

test('threat 42: a used sequence number does not make a payment dead while no server shows the transaction that used it, and this is reported once', async () => {
  const views = [makeView(), makeView()];
  const { ask, chain } = await stage(views);
  for (const view of views) take(view);
  assert.equal((await ask()).kind, 'pending', 'the lists may only be behind');
  assert.deepEqual(chain.troubles, []);
  for (const view of views) pass(view);
  for (let time = 0; time < 3; time++) assert.equal((await ask()).kind, 'unknown');
  assert.deepEqual(chain.troubles, [
    'Stellar: a payment is not found: its sequence number is used, and no provider shows by which transaction',
  ]);
});

test('a payment whose sequence number was not used in a ledger may still land until it expires', async () => {
  const view = makeView();
  const { ask, prepared } = await stage([view]);
  land(view, prepared, { successful: false, result_xdr: failedXdr('txBadSeq') });
  assert.equal((await ask()).kind, 'pending');
  pass(view);
  const status = await ask();
  assert.ok(status.kind === 'dead');
  assert.deepEqual(status.cost, { asset: 'XLM', feeMinor: 100n, opened: [] }, 'that ledger took a fee');
  const unpaid = { successful: false, fee_account: 'a stranger', result_xdr: failedXdr('txBadSeq') };
  land(view, prepared, unpaid);
  const strangers = await ask();
  assert.ok(strangers.kind === 'dead' && strangers.cost === undefined, 'and not from us');
});

test('a payment is dead if two servers show another transaction with its sequence number; the same number of another account does not count', async () => {
  const views = [makeView(), makeView()];
  const { ask, chain } = await stage(views);
  take(views[0]!, other(OTHER));
  take(views[1]!);
  assert.equal((await ask()).kind, 'pending', 'the second does not show it yet');
  take(views[1]!, other(OTHER, { source_account: ISSUER }), other(OTHER, { source_account_sequence: '41' }));
  assert.equal((await ask()).kind, 'pending', 'that is not our sequence number');
  take(views[1]!, other('c'.repeat(64)));
  assert.equal((await ask()).kind, 'pending', 'each shows another one');
  take(views[1]!, other(OTHER));
  const status = await ask();
  assert.ok(status.kind === 'dead' && status.death.evidence.proof === 'displaced');
  assert.deepEqual(chain.troubles, []);
  views[1]!.down = true;
  assert.deepEqual(await ask(), { kind: 'unknown', reason: 'only one provider answered' });
});

test('a failed transaction uses its sequence number, unless it failed before its operations ran', async () => {
  const view = makeView();
  const { ask } = await stage([view]);
  take(view, other(OTHER, { successful: false, result_xdr: failedXdr('txBadSeq') }));
  assert.equal((await ask()).kind, 'pending');
  take(view, other(OTHER, { successful: false, result_xdr: failedXdr('txFailed') }));
  assert.equal((await ask()).kind, 'dead');
});

test('threat 42: a fee bump of our transaction is our payment, whichever account pays the fee', async () => {
  const view = makeView();
  const { ask, prepared } = await stage([view]);
  const bump = {
    fee_account: ISSUER,
    inner_transaction: { hash: prepared.hash },
    fee_bump_transaction: { hash: OTHER },
  };
  take(view, other(OTHER, bump));
  const status = await ask();
  assert.ok(status.kind === 'final');
  assert.deepEqual([status.hash, status.cost?.feeMinor], [prepared.hash, 0n]);
});
