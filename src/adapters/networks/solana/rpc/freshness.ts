// Whether a provider keeps up with its chain. A stalled one answers like one on which nothing happens: what it does not show
// proves nothing, and another one is asked.
import type { SolanaChain } from './chain.ts';
import type { Blockhash, SolanaClient } from './client.ts';

/** The chain's own clock, an account like any other: its time is that of the block it is read at. */
const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
/** After the slot, the start of the epoch, the epoch and the next one: seconds, as 64 bits. */
const TIME_AT_BYTE = 32;
const TIME_BYTES = 8;

const STALE_AFTER_MS = 10 * 60_000;
/** Rarely: each check is one more request, and it matters only after minutes. */
const LOOK_EVERY_MS = 60_000;
/** Blockhashes last for 150 blocks; finality and slow answers take some tens more. */
const BLOCKS_AT_MOST = 300n;

/** When a provider was last seen to keep up. */
const seenFreshAtMs = new WeakMap<SolanaClient, number>();

/** Throws when the newest final block is too old. */
export async function requireFreshProvider(
  { clock }: Pick<SolanaChain, 'clock'>,
  client: SolanaClient,
): Promise<void> {
  const nowMs = clock.now();
  const lastMs = seenFreshAtMs.get(client);
  if (lastMs !== undefined && nowMs - lastMs < LOOK_EVERY_MS) return;
  const [held] = await client.accounts([CLOCK], 'finalized');
  if (held == null || held.data.length < TIME_AT_BYTE + TIME_BYTES)
    throw new Error('the provider does not show the time of its chain');
  const time = new DataView(held.data.buffer, held.data.byteOffset).getBigInt64(TIME_AT_BYTE, true);
  if (nowMs - Number(time) * 1_000 > STALE_AFTER_MS)
    throw new Error('the provider is stalled: its newest final block is too old');
  seenFreshAtMs.set(client, nowMs);
}

/**
 * A blockhash with which signed bytes end: they land, or it can be proven that they did not. Bytes with a bound far ahead cannot be
 * proven dead until then, and bytes that name a block outside the chain never: a provider that gives such blockhashes is not used.
 */
export async function readSoundBlockhash(chain: SolanaChain, client: SolanaClient): Promise<Blockhash> {
  await requireFreshProvider(chain, client);
  const found = await client.latestBlockhash();
  const { height } = await client.finalized();
  if (found.lastValidBlockHeight - height > BLOCKS_AT_MOST)
    throw new Error('the provider gives a blockhash a longer life than the chain allows');
  const shown = await client.blockhashAt(found.slot);
  // A server of blocks may be a little behind the one that gave the blockhash.
  const isOfChain = shown === undefined ? await client.isUsable(found.blockhash) : shown === found.blockhash;
  if (!isOfChain) throw new Error('the provider gives a blockhash that is not of its chain');
  return found;
}
