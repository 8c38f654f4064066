// Checks whether a provider is up to date with its chain. To a client of a stalled provider, the chain looks as if it had no
// new transactions. A missing transaction in its responses proves nothing, so a different provider is asked.
import type { SolanaChain } from './chain.ts';
import type { Blockhash, SolanaClient } from './client.ts';

/** The clock account of the chain. It contains the time of the block at which it is read. */
const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
/** The time follows the slot, the start of the epoch, the epoch and the next epoch. It is in seconds, as 64 bits. */
const TIME_AT_BYTE = 32;
const TIME_BYTES = 8;

const STALE_AFTER_MS = 10 * 60_000;
/** The check runs rarely, because it costs one request, and a stalled provider does harm only after minutes. */
const LOOK_EVERY_MS = 60_000;
/** A blockhash is valid for 150 blocks. Finality and slow responses add some tens of blocks. */
const BLOCKS_AT_MOST = 300n;

const seenFreshAtMs = new WeakMap<SolanaClient, number>();

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
 * Returns a blockhash for which the outcome of signed bytes can be proven: either they land, or they can no longer land. If the
 * expiry height is far away, it takes too long until the bytes can be proven dead. If the blockhash does not belong to the chain,
 * the bytes can never be proven dead. A provider that returns such blockhashes is not used.
 */
export async function readSoundBlockhash(chain: SolanaChain, client: SolanaClient): Promise<Blockhash> {
  await requireFreshProvider(chain, client);
  const found = await client.latestBlockhash();
  const { height } = await client.finalized();
  if (found.lastValidBlockHeight - height > BLOCKS_AT_MOST)
    throw new Error('the provider gives a blockhash a longer life than the chain allows');
  const shown = await client.blockhashAt(found.slot);
  // The server that returns the block may be a little behind the server that gave the blockhash.
  const isOfChain = shown === undefined ? await client.isUsable(found.blockhash) : shown === found.blockhash;
  if (!isOfChain) throw new Error('the provider gives a blockhash that is not of its chain');
  return found;
}
