// Tests reading a list of logs: repeated logs, logs of replaced blocks, and logs that contradict each other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderFailure, readLogs } from './answers.ts';

const log = (changes: Record<string, unknown> = {}) => ({
  ...{ address: `0x${'AA'.repeat(20)}`, topics: [`0x${'01'.repeat(32)}`], data: '0x2a', blockNumber: '0x5' },
  ...{ blockHash: `0x${'bb'.repeat(32)}`, transactionHash: `0x${'cc'.repeat(32)}`, logIndex: '0x0' },
  ...changes,
});

test('a log that a provider lists several times is returned once', () => {
  const [first, ...others] = readLogs([log(), log({ address: `0x${'aa'.repeat(20)}` }), log()]);
  assert.deepEqual(others, []);
  assert.deepEqual([first!.data, first!.index], ['0x2a', 0]);
  assert.equal(readLogs([log(), log({ logIndex: '0x1' })]).length, 2);
});

test('a log of a replaced block is ignored', () => {
  assert.deepEqual(readLogs([log({ removed: true })]), []);
  assert.equal(readLogs([log({ removed: false })]).length, 1);
});

test('two different logs with the same index are a failure of the provider', () => {
  for (const other of [{ data: '0x2b' }, { transactionHash: `0x${'dd'.repeat(32)}` }, { blockNumber: '0x6' }])
    assert.throws(() => readLogs([log(), log(other)]), ProviderFailure);
});
