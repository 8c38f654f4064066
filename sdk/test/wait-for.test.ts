// Tests waitFor: the state may be in the past or in the future, the transaction may end in a different state, and the time may
// run out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SliproadStateError, SliproadTimeoutError, type TransactionState } from '../src/index.ts';
import { openStream, type PlayedEvent, textOf } from './support/event-server.ts';
import { fakeTime, until } from './support/fake-time.ts';
import { breakOff, clientOf, type Play, refuse, startPlaying } from './support/playing-server.ts';

const server = await startPlaying();
const sliproad = clientOf(server);

function moved(number: number, state: string): PlayedEvent {
  return { id: `evt_1_${number}`, type: `transaction.${state}`, data: { transaction: { state } } };
}

function through(...states: TransactionState[]): Play {
  return (seen, response) => {
    if (!seen.url.endsWith('/events')) {
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(
        JSON.stringify({ transaction: { state: states.at(-1), state_message: 'Because.' } }),
      );
    }
    openStream(response);
    for (const [index, state] of states.entries()) response.write(textOf(moved(index + 1, state)));
  };
}

test('waitFor accepts a state that the transaction has already left, even a short one', async () => {
  server.play(through('awaiting_payment', 'paid', 'sending', 'completed'));
  assert.equal((await sliproad.waitFor('txn_1', 'completed')).state, 'completed');
  assert.equal((await sliproad.waitFor('txn_1', 'paid')).state, 'completed');
  assert.equal((await sliproad.waitFor('txn_1', ['expired', 'completed'])).state, 'completed');
});

test('waitFor continues after broken connections', async () => {
  const stream: Play = (_seen, response) => {
    openStream(response);
    response.write(textOf(moved(1, 'awaiting_payment')));
    setTimeout(() => response.destroy(), 5);
  };
  server.play(breakOff, stream, breakOff, through('awaiting_payment', 'paid', 'completed'));
  assert.equal((await sliproad.waitFor('txn_1', 'completed')).state, 'completed');
});

test('if the transaction ends in another state, waitFor throws an error that contains the transaction', async () => {
  for (const end of ['expired', 'cancelled', 'rejected', 'refunded'] as const) {
    server.play(through('awaiting_payment', end));
    await assert.rejects(sliproad.waitFor('txn_1', 'completed'), (error) => {
      assert.ok(error instanceof SliproadStateError);
      assert.deepEqual([error.code, error.transaction.state], ['state_not_reached', end]);
      assert.match(error.message, /txn_1 ended in .* not in completed. Because./);
      return true;
    });
  }
});

test('an expired transaction that late money revived does not count as ended', async () => {
  server.play(through('awaiting_payment', 'expired', 'paid', 'completed'));
  assert.equal((await sliproad.waitFor('txn_1', 'completed')).state, 'completed');
});

test('waitFor throws after its timeout, after an abort, and after a refusal', async () => {
  const time = fakeTime();
  const timed = clientOf(server, { timers: time.timers });
  server.play(through('awaiting_payment'));
  const waiting = timed.waitFor('txn_1', 'completed', { timeoutMs: 10_000 });
  await until(() => server.seen.length === 1 && time.waiting().includes(45_000));
  time.pass(10_001);
  await assert.rejects(
    waiting,
    (error) =>
      error instanceof SliproadTimeoutError && /did not reach completed within 10000 ms/.test(error.message),
  );
  assert.deepEqual(time.waiting(), [], 'no timer is left behind');
  const controller = new AbortController();
  const stopped = sliproad.waitFor('txn_1', 'completed', { signal: controller.signal });
  await until(() => server.seen.length === 2);
  controller.abort(new Error('enough'));
  await assert.rejects(stopped, { message: 'enough' });
  server.play(refuse(404, 'transaction_not_found'));
  await assert.rejects(sliproad.waitFor('txn_1', 'completed'), { code: 'transaction_not_found' });
  await assert.rejects(sliproad.waitFor('txn_1', []), { code: 'invalid_argument' });
  await assert.rejects(sliproad.waitFor('txn_1', 'completed', { timeoutMs: Number.NaN }), {
    code: 'invalid_argument',
  });
});
