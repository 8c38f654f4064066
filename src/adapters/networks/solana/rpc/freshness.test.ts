// Tests which providers are up to date with their chain, and which blockhashes of a provider are accepted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLOCK_ADDRESS, clockAccount } from '../../../../../test/support/networks/solana-views.ts';
import type { SolanaChain } from './chain.ts';
import type { ChainAccount, SolanaClient } from './client.ts';
import { readSoundBlockhash, requireFreshProvider } from './freshness.ts';

const START_MS = 1_700_000_000_000;
const TEN_MINUTES_MS = 600_000;

function stage(clockOf: () => ChainAccount | null, more: Partial<SolanaClient> = {}) {
  let nowMs = START_MS;
  const asked: string[] = [];
  const client = {
    accounts: async (addresses: readonly string[], commitment: string) => {
      asked.push(`${addresses} ${commitment}`);
      return addresses.map(clockOf);
    },
    ...more,
  } as Partial<SolanaClient> as SolanaClient;
  const chain = { clock: { now: () => nowMs } } as SolanaChain;
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { chain, client, asked, pass };
}

test('threat 46: a provider whose newest final block is older than ten minutes is stalled', async () => {
  const { chain, client, asked, pass } = stage(() => clockAccount(START_MS));
  pass(TEN_MINUTES_MS);
  await requireFreshProvider(chain, client);
  pass(59_999);
  await requireFreshProvider(chain, client);
  assert.deepEqual(asked, [`${CLOCK_ADDRESS} finalized`], 'once a minute is enough');
  pass(1);
  for (let time = 0; time < 2; time++)
    await assert.rejects(requireFreshProvider(chain, client), /is stalled/);
  assert.equal(asked.length, 3, 'a stalled one is asked each time: it may have caught up');
});

test('a provider that does not return the time of its chain is refused', async () => {
  for (const held of [null, { ...clockAccount(START_MS), data: new Uint8Array(8) }]) {
    const { chain, client } = stage(() => held);
    await assert.rejects(requireFreshProvider(chain, client), /does not show the time/);
  }
});

test('a provider whose blockhash is valid for too many blocks is refused, and so is a stalled provider', async () => {
  const height = 1_000n;
  let lastValidBlockHeight = height + 300n;
  let atMs = START_MS;
  const { chain, client } = stage(() => clockAccount(atMs), {
    latestBlockhash: async () => ({ blockhash: 'hash', lastValidBlockHeight, slot: 9n }),
    finalized: async () => ({ slot: height + 20n, height }),
    blockhashAt: async () => 'hash',
  });
  atMs = START_MS - TEN_MINUTES_MS - 1_000;
  await assert.rejects(readSoundBlockhash(chain, client), /is stalled/);
  atMs = START_MS;
  assert.equal((await readSoundBlockhash(chain, client)).lastValidBlockHeight, lastValidBlockHeight);
  lastValidBlockHeight += 1n;
  await assert.rejects(readSoundBlockhash(chain, client), /longer life than the chain allows/);
});

test('threat 101: a blockhash of another chain, or with a wrong slot, is refused, because its transaction could never be proven dead', async () => {
  let shown: string | undefined = 'hash';
  let usable = true;
  const { chain, client } = stage(() => clockAccount(START_MS), {
    latestBlockhash: async () => ({ blockhash: 'hash', lastValidBlockHeight: 1_150n, slot: 9n }),
    finalized: async () => ({ slot: 1_020n, height: 1_000n }),
    blockhashAt: async (slot) => (slot === 9n ? shown : 'another slot'),
    isUsable: async () => usable,
  });
  await readSoundBlockhash(chain, client);
  shown = 'foreign';
  await assert.rejects(readSoundBlockhash(chain, client), /not of its chain/);
  shown = undefined;
  await readSoundBlockhash(chain, client);
  usable = false;
  await assert.rejects(readSoundBlockhash(chain, client), /not of its chain/);
});
