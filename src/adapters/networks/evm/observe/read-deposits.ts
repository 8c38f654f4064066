// Reads deposits from one provider. It first reads the final blocks, each with its header and linked to the one before. Then it
// reads the later blocks, whose deposits are reported as not final.
import type { Hex } from 'viem';
import type { DepositObservation, Sighting } from '../../../../ports/networks/network-observer.ts';
import { type EvmBlock, isUnusableAnswer, ProviderFailure } from '../rpc/answers.ts';
import type { EvmClient } from '../rpc/client.ts';
import { type LastReadBlock, readHeadersAfter } from '../rpc/complete-logs.ts';
import type { EvmContext } from '../rpc/context.ts';
import { readHeads, requireFreshBlock } from '../rpc/envelope-standing.ts';
import type { MissedTransfers } from '../rpc/receipt-patience.ts';
import type { UnindexedTransfer } from './log-indexes.ts';
import type { EvmPosition, TransferOrigin } from './position.ts';
import { type BlockRange, scanTransfers, type WatchedAddresses } from './scan-transfers.ts';

const MOST_RANGES = 10;
/**
 * The sender and nonce of transfers that are not final, by transaction hash. They are needed to prove that a transfer is gone.
 */
export type TransferOrigins = Map<string, TransferOrigin>;

export interface DepositReading extends Pick<DepositObservation, 'unreadable'> {
  readonly final: readonly Sighting[];
  readonly early: readonly Sighting[];
  readonly last: LastReadBlock;
  readonly givenUp: readonly UnindexedTransfer[];
  /** The senders by transaction hash. Null means that the provider no longer has the transaction. */
  readonly senders: readonly (readonly [string, TransferOrigin | null])[];
}

export interface ReadRoundLimits {
  readonly givenUp: ReadonlySet<string>;
  /** The last block to read while a transfer waits for its receipt. Null means no limit. */
  readonly upTo: bigint | null;
  readonly pace: number;
  readonly missed: MissedTransfers;
}

interface ReadTask {
  readonly start: EvmPosition;
  readonly watched: WatchedAddresses;
  readonly round: ReadRoundLimits;
  readonly origins: TransferOrigins;
}

export async function readDeposits(
  context: EvmContext,
  client: EvmClient,
  { start, watched, round, origins }: ReadTask,
): Promise<DepositReading> {
  const { settings, parts } = context;
  const { finalized, latest } = await readHeads(client);
  requireFreshBlock(latest, parts.clock.now());
  await requireSameBlock(settings.name, client, start);
  const found = await readFinalBlocks(context, client, { start, watched, round }, finalized);
  const { last, unplaced } = found;
  // This runs after all ranges, so that transfers without a receipt in several ranges wait together.
  requireIndexed(unplaced, round);
  const unreadable = [...found.unreadable, ...unplaced.map(unreadableOf)];
  const early: Sighting[] = [];
  if (last.block >= finalized.number) {
    for (const range of splitIntoRanges(last.block + 1n, latest.number, settings.logBlocks)) {
      // Unreadable transfers and other tokens are reported only after they are final.
      const { sightings } = await scanTransfers(context, client, { ...watched, recent: [] }, range);
      early.push(...sightings.map((each) => ({ ...each, final: false })));
    }
  }
  const senders = await readSenders(client, early, origins);
  return { final: found.final, early, unreadable, last, senders, givenUp: unplaced };
}

/** Reads the final blocks range by range. If a later range fails, the earlier ranges still count. */
async function readFinalBlocks(
  context: EvmContext,
  client: EvmClient,
  { start, watched, round }: Omit<ReadTask, 'origins'>,
  finalized: EvmBlock,
) {
  const limits = [finalized.number, start.block + BigInt(round.pace), round.upTo ?? finalized.number];
  const to = limits.reduce((a, b) => (b < a ? b : a));
  const final: Sighting[] = [];
  const unreadable: DepositObservation['unreadable'][number][] = [];
  const unplaced: UnindexedTransfer[] = [];
  let last: LastReadBlock = start;
  for (const range of splitIntoRanges(start.block + 1n, to, context.settings.logBlocks)) {
    try {
      const headers = await readHeadersAfter(client, last, range.to);
      const { number, hash } = headers.at(-1)!;
      if (number === finalized.number && hash !== finalized.hash)
        throw new ProviderFailure('its blocks do not belong to the final chain', true);
      const found = await scanTransfers(context, client, watched, range, headers);
      final.push(...found.sightings.map((each) => ({ ...each, final: true })));
      unreadable.push(...found.unreadable);
      unplaced.push(...found.unplaced);
      last = { block: number, hash };
    } catch (error) {
      if (!isUnusableAnswer(error) || last === start) throw error;
      break;
    }
  }
  return { final, unreadable, unplaced, last };
}

/** Throws, so that a different provider is asked. It does not throw if the service has given up the transfer. */
function requireIndexed(unplaced: readonly UnindexedTransfer[], { givenUp, missed }: ReadRoundLimits): void {
  const waiting = unplaced.filter((each) => !givenUp.has(keyOfUnindexed(each)));
  for (const [key, { block }] of new Map(waiting.map((each) => [keyOfUnindexed(each), each])))
    missed.set(key, { block, providers: (missed.get(key)?.providers ?? 0) + 1 });
  const [first] = waiting;
  if (first !== undefined) throw new ProviderFailure(`${first.reason} (${first.txHash})`, true);
}

function unreadableOf({ reason, raw }: UnindexedTransfer): DepositObservation['unreadable'][number] {
  return { reason: `no provider shows a usable receipt of this transfer: ${reason}`, raw };
}

function keyOfUnindexed({ txHash, index }: UnindexedTransfer): string {
  return `${txHash} ${index}`;
}

function readSenders(
  client: EvmClient,
  early: readonly Sighting[],
  origins: TransferOrigins,
): Promise<DepositReading['senders']> {
  const unknown = new Set(early.map(({ txHash }) => txHash).filter((tx) => !origins.has(tx)));
  return Promise.all(
    [...unknown].map(async (tx) => {
      const origin = await client.transaction(tx as Hex).catch((error) => {
        // An unreadable transaction must not stop the report of the other transactions.
        if (isUnusableAnswer(error)) return null;
        throw error;
      });
      return [tx, origin] as const;
    }),
  );
}

async function requireSameBlock(
  network: string,
  client: EvmClient,
  { block, hash }: EvmPosition,
): Promise<void> {
  if (hash === null) return;
  const there = await client.block(block);
  if (there === null) throw new ProviderFailure('the provider lacks a block that was already read', true);
  if (there.hash !== hash)
    throw new Error(
      `${network}: block ${block} was final and has been replaced. Deposits are no longer read: compare the ` +
        'providers with an explorer. To read again from a chosen block: bin/sliproad networks reread',
    );
}

function splitIntoRanges(from: bigint, to: bigint, blocks: number): readonly BlockRange[] {
  const ranges: BlockRange[] = [];
  for (let next = from; next <= to && ranges.length < MOST_RANGES; next += BigInt(blocks)) {
    const end = next + BigInt(blocks) - 1n;
    ranges.push({ from: next, to: end < to ? end : to });
  }
  return ranges;
}
