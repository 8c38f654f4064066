// Tests that the response of one provider is enough until the deposits reach a cap. Above the cap a deposit waits until two
// providers agree.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Network } from '../../../ports/networks/network.ts';
import { capOneProviderDeposits, type OneProviderDeposits } from './one-provider-cap.ts';

type Answer = Awaited<ReturnType<Network['confirm']>>;
const SEEN = { txHash: '0x1', txIndex: 0, address: '0xours', memo: null, amountMinor: 499_999n };

function stage(one: Answer, two: Answer, granted: Awaited<ReturnType<OneProviderDeposits['grant']>>) {
  const asked: string[] = [];
  const said: string[] = [];
  const real = {
    name: 'Polygon',
    confirm: async (_: unknown, how?: { byTwo: boolean }) => {
      asked.push(how?.byTwo === true ? 'two' : 'one');
      return how?.byTwo === true ? two : one;
    },
  } as unknown as Network;
  const words: OneProviderDeposits = {
    grant: async ({ mode, network, amountMinor }, perHourMinor) => {
      asked.push(`grant ${mode} ${network} ${amountMinor} of ${perHourMinor}`);
      return granted;
    },
  };
  const cap = { mode: 'live', agreeFromMinor: 500_000n, perHourMinor: 700_000n } as const;
  const { confirm } = capOneProviderDeposits(real, cap, words, (message) => said.push(message));
  return { asked, said, confirm };
}

test('within the cap the response of one provider is enough, and the deposit is counted', async () => {
  const { asked, said, confirm } = stage('final', 'unknown', 'granted');
  assert.equal(await confirm(SEEN), 'final');
  assert.deepEqual(asked, ['one', 'grant live Polygon 499999 of 700000']);
  assert.deepEqual(said, []);
});

test('threat 46: above the cap an invented deposit does not become final, and this is reported once', async () => {
  const first = stage('final', 'unknown', 'now_needs_two');
  assert.equal(await first.confirm(SEEN), 'unknown');
  assert.deepEqual(first.asked.at(-1), 'two');
  assert.match(first.said.join(), /have reached the hourly limit: the next ones need two providers/);
  const again = stage('final', 'pending', 'needs_two');
  assert.equal(await again.confirm(SEEN), 'pending');
  assert.deepEqual(again.said, []);
});

test('above the cap a deposit that two providers confirm is final, and nothing is reported', async () => {
  const { said, confirm } = stage('final', 'final', 'now_needs_two');
  assert.equal(await confirm(SEEN), 'final');
  assert.deepEqual(said, []);
});

test('a deposit that is not final, or that two providers already confirmed, does not count towards the cap', async () => {
  for (const answer of ['pending', 'gone', 'unknown'] as const) {
    const { asked, confirm } = stage(answer, 'final', 'granted');
    assert.equal(await confirm(SEEN), answer);
    assert.deepEqual(asked, ['one']);
  }
  const { asked, confirm } = stage('final', 'final', 'granted');
  assert.equal(await confirm({ ...SEEN, amountMinor: 500_000n }), 'final');
  assert.equal(await confirm(SEEN, { byTwo: true }), 'final');
  assert.deepEqual(asked, ['one', 'two']);
});
