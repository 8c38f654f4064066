// Tests the time limit of responses. A late response counts as no response. A response or an error that arrives in time is
// passed on at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Network } from '../../../ports/networks/network.ts';
import type { Payment, SendStatus, SignedTransaction } from '../../../ports/networks/network-payer.ts';
import { limitAnswerTime } from './limit-answer-time.ts';

const PAYMENT = { orderId: 'mov_1', to: 'a' } as Payment;
const BYTES = { hash: '0x1' } as SignedTransaction;
const SIGHTING = { txHash: '0x1', txIndex: 0, address: 'a', memo: '', amountMinor: 1n };
const ENVELOPE = { versions: [], orderIds: [] };
const LATE = { kind: 'unknown', reason: 'no answer in time' };

test('every kind of request returns "unknown" when its response is late', async () => {
  const never = () => new Promise<never>(() => undefined);
  const silent = { ask: never, confirm: never, recipientReady: never, broadcast: never };
  const network = limitAnswerTime(silent as never, 20);
  const asked = [
    ...[network.ask(ENVELOPE), network.confirm(SIGHTING), network.recipientReady(PAYMENT)],
    network.broadcast(BYTES),
  ];
  assert.deepEqual(await Promise.all<unknown>(asked), [LATE, 'unknown', 'unknown', LATE]);
});

test('responses and errors are passed on at once, and a late error is ignored', async () => {
  const late = Promise.withResolvers<never>();
  const fine = {
    name: 'Net',
    ask: async () => ({ kind: 'pending' }),
    confirm: () => late.promise,
    recipientReady: async () => {
      throw new Error('a mistake of ours');
    },
  } as unknown as Network;
  const network = limitAnswerTime(fine, 20);
  assert.equal(network.name, 'Net');
  assert.deepEqual(await network.ask(ENVELOPE), { kind: 'pending' });
  await assert.rejects(network.recipientReady(PAYMENT), /a mistake of ours/);
  assert.equal(await network.confirm(SIGHTING), 'unknown');
  late.reject(new Error('too late to matter'));
  await new Promise((resolve) => setImmediate(resolve));
});

test('a repeated call waits for the request in progress, and a call after its end starts a new request', async () => {
  const answers: PromiseWithResolvers<SendStatus>[] = [];
  const slow = {
    ask: () => {
      answers.push(Promise.withResolvers());
      return answers.at(-1)!.promise;
    },
  } as unknown as Network;
  const network = limitAnswerTime(slow, 20);
  assert.deepEqual(await network.ask(ENVELOPE), LATE);
  const again = network.ask(ENVELOPE);
  answers[0]!.resolve({ kind: 'pending' });
  assert.deepEqual([await again, answers.length], [{ kind: 'pending' }, 1]);
  const anew = network.ask(ENVELOPE);
  answers[1]!.resolve({ kind: 'stuck' });
  assert.deepEqual([await anew, answers.length], [{ kind: 'stuck' }, 2]);
});

test('an order whose wallet has changed in the meantime gets a new request', async () => {
  const asked: string[] = [];
  const hanging = {
    recipientReady: ({ to }: Payment) => {
      asked.push(to);
      return to === 'a' ? new Promise(() => undefined) : Promise.resolve('ready');
    },
  } as unknown as Network;
  const network = limitAnswerTime(hanging, 20);
  assert.equal(await network.recipientReady(PAYMENT), 'unknown');
  assert.equal(await network.recipientReady({ ...PAYMENT, to: 'b' }), 'ready');
  assert.deepEqual(asked, ['a', 'b']);
});

test('threat 46: calls with a different amount, memo or number of providers do not share a response', async () => {
  const asked: string[] = [];
  const hanging = {
    confirm: ({ amountMinor, memo }: typeof SIGHTING, how?: { byTwo: boolean }) => {
      asked.push(`${amountMinor} ${how?.byTwo === true} ${memo}`);
      return asked.length === 1 ? new Promise(() => undefined) : Promise.resolve('pending');
    },
  } as unknown as Network;
  const network = limitAnswerTime(hanging, 20);
  assert.equal(await network.confirm(SIGHTING), 'unknown');
  assert.equal(await network.confirm({ ...SIGHTING, amountMinor: 2n }), 'pending');
  assert.equal(await network.confirm(SIGHTING, { byTwo: true }), 'pending');
  assert.equal(await network.confirm({ ...SIGHTING, memo: '77' }), 'pending');
  assert.deepEqual(asked, ['1 false ', '2 false ', '1 true ', '1 false 77']);
});
