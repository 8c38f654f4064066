// Tests that a server's refusal of a transaction proves nothing. A broadcast counts only if a server or a ledger has the
// transaction.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  makeChain,
  makeView,
  makeWallet,
  NO_TURN,
  paymentTo,
  type View,
} from '../../../../../test/contract/stellar/stellar-fixtures.ts';
import { makeBroadcast } from './broadcast.ts';
import { makePrepare } from './prepare.ts';

async function stage(views: readonly View[]) {
  const chain = makeChain(views);
  const { envelopes } = await makePrepare(chain).prepare([paymentTo(makeWallet(views))], NO_TURN);
  const prepared = envelopes[0]!;
  for (const { asked } of views) asked.length = 0;
  return { prepared, broadcast: makeBroadcast(chain).broadcast };
}

const answer = (status: number, body: Record<string, unknown>) => () => ({ status, body });
const kindOf = async (view: View) => {
  const { prepared, broadcast } = await stage([view]);
  return (await broadcast(prepared)).kind;
};

test('pending and duplicate transactions are accepted; any refusal is unknown', async () => {
  assert.equal(await kindOf(makeView({ submit: answer(201, { tx_status: 'PENDING' }) })), 'accepted');
  assert.equal(await kindOf(makeView({ submit: answer(409, { tx_status: 'DUPLICATE' }) })), 'accepted');
  for (const [status, tx_status] of [
    [503, 'TRY_AGAIN_LATER'],
    [400, 'ERROR'],
    [200, 'SOMETHING_NEW'],
  ] as const)
    assert.equal(await kindOf(makeView({ submit: answer(status, { tx_status }) })), 'unknown');
  for (const status of [400, 403, 429, 500, 504])
    assert.equal(await kindOf(makeView({ submit: answer(status, { title: 'no' }) })), 'unknown');
});

test('threat 42: a transaction that a server refuses because a ledger already contains it counts as accepted', async () => {
  const view = makeView({ submit: answer(400, { tx_status: 'ERROR' }) });
  const { prepared, broadcast } = await stage([view]);
  assert.equal((await broadcast(prepared)).kind, 'unknown');
  view.at.set(`/transactions/${prepared.hash}`, { hash: prepared.hash });
  assert.deepEqual(await broadcast(prepared), { kind: 'accepted' });
});

test('a server without asynchronous submission gets a synchronous request', async () => {
  const view = makeView();
  const { prepared, broadcast } = await stage([view]);
  view.submit = (path) =>
    path === '/transactions'
      ? { status: 200, body: { hash: prepared.hash } }
      : { status: 404, body: { title: 'Resource Missing' } };
  assert.deepEqual(await broadcast(prepared), { kind: 'accepted' });
  assert.deepEqual(view.asked, ['/transactions_async', '/transactions']);
});

test('every server gets the same transaction, and two servers must accept it', async () => {
  const views = [makeView(), makeView(), makeView({ submit: answer(504, { title: 'Timeout' }) })];
  const { prepared, broadcast } = await stage(views);
  assert.deepEqual(await broadcast(prepared), { kind: 'accepted' });
  for (const { asked } of views) assert.deepEqual(asked, ['/transactions_async']);
});

test('a broadcast that only one of two servers accepted is unknown, because that server may be stalled', async () => {
  const views = [makeView(), makeView({ submit: answer(504, { title: 'Timeout' }) })];
  const { prepared, broadcast } = await stage(views);
  const reason = '1 of 2 providers accepted it';
  assert.deepEqual(await broadcast(prepared), { kind: 'unknown', reason });
  views[1]!.submit = answer(400, { tx_status: 'ERROR' });
  assert.equal((await broadcast(prepared)).kind, 'unknown');
  views[1]!.at.set(`/transactions/${prepared.hash}`, { hash: prepared.hash });
  assert.deepEqual(await broadcast(prepared), { kind: 'accepted' }, 'a ledger has it');
});

test('a stored transaction that was changed is never sent', async () => {
  const view = makeView();
  const { prepared, broadcast } = await stage([view]);
  const { xdr, ...rest } = JSON.parse(prepared.payload);
  const changed = [
    { ...prepared, payload: JSON.stringify({ ...rest, xdr: `${xdr.slice(0, 40)}AAAA${xdr.slice(44)}` }) },
    { ...prepared, bound: '1' },
    { ...prepared, sequence: '1' },
    { ...prepared, payload: 'x' },
  ];
  for (const each of changed) assert.equal((await broadcast(each)).kind, 'unknown');
  assert.deepEqual(view.asked, []);
});
