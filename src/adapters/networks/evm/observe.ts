// What came in since a position. Blocks that stay are read once and moved past; those above them are read again until they
// stay, and told of once. A chain that no longer has the block that was read last is not followed: somebody must look.
import type { Hex } from 'viem';
import type { Network, Observed, Sighting, Watch } from '../../../ports/network.ts';
import { type Block, ProviderFailure } from './answers.ts';
import type { EvmClient } from './client.ts';
import type { EvmContext } from './context.ts';
import { MOST_OPEN, type Origin, type Position, readPosition, writePosition } from './position.ts';
import { requireFresh } from './proof.ts';
import { type Range, scan, type Watched } from './scan.ts';

/** So many questions about blocks that stay, and about those above, in one go. */
const MOST_RANGES = 10;
const MOST_TOLD = 10_000;

/** Who sent what was seen and is not final, for proofs that it is gone. */
export type Origins = Map<string, Origin>;

interface Reading extends Pick<Observed, 'unreadable'> {
  readonly final: readonly Sighting[];
  readonly early: readonly Sighting[];
  readonly last: { readonly block: bigint; readonly hash: Hex | null };
  /** By the hash of the transaction; null where the provider has forgotten it already. */
  readonly senders: readonly (readonly [string, Origin | null])[];
}

/** Our own store failed, which says nothing about the provider. */
class WatchFailed extends Error {
  override readonly name = 'WatchFailed';
}

export function makeObserve(context: EvmContext, origins: Origins): Network['observe'] {
  const { settings, parts, providers } = context;
  const told = new Set<string>();

  const read = async (client: EvmClient, start: Position, watched: Watched): Promise<Reading> => {
    const { finalized, latest } = await headsOf(client);
    requireFresh(latest, parts.clock.now());
    await requireSame(settings.name, client, start);
    const ranges = rangesOf(start.block + 1n, finalized.number, settings.logBlocks);
    const final: Sighting[] = [];
    const unreadable: Observed['unreadable'][number][] = [];
    for (const range of ranges) {
      const found = await scan(context, client, watched, range);
      final.push(...found.sightings.map((each) => ({ ...each, final: true })));
      unreadable.push(...found.unreadable);
    }
    const end = ranges.at(-1)?.to;
    const last = end === undefined ? start : await placeOf(client, end, finalized);
    const early: Sighting[] = [];
    if (last.block >= finalized.number) {
      for (const range of rangesOf(last.block + 1n, latest.number, settings.logBlocks)) {
        // What cannot be read there is told of when it stays.
        const { sightings } = await scan(context, client, watched, range);
        early.push(...sightings.map((each) => ({ ...each, final: false })));
      }
    }
    const unknown = new Set(early.map(({ txHash }) => txHash).filter((tx) => !origins.has(tx)));
    const senders = [...unknown].map(async (tx) => [tx, await client.transaction(tx as Hex)] as const);
    return { final, early, unreadable, last, senders: await Promise.all(senders) };
  };

  /** Keeps in mind what was told, and what is not final yet. */
  const remember = ({ final, early, senders }: Reading): readonly Sighting[] => {
    for (const [tx, origin] of senders) if (origin !== null) origins.set(tx, origin);
    for (const sighting of final) {
      origins.delete(sighting.txHash);
      told.delete(identityOf(sighting));
    }
    for (const tx of [...origins.keys()].slice(0, -MOST_OPEN)) origins.delete(tx);
    if (told.size > MOST_TOLD) told.clear();
    const unheard = early.filter((each) => !told.has(identityOf(each)));
    for (const sighting of unheard) told.add(identityOf(sighting));
    return [...final, ...unheard];
  };

  return async (position, watch): Promise<Observed> => {
    const start = position === null ? beginning(settings.firstBlock) : readPosition(position);
    for (const [tx, origin] of start.open) if (!origins.has(tx)) origins.set(tx, origin);
    const watched = await watchedBy(watch);
    const reading = await providers.one((client) => read(client, start, watched).catch(onlyWatch));
    if (reading instanceof WatchFailed) throw reading.cause;
    const sightings = remember(reading);
    return {
      sightings,
      unreadable: reading.unreadable,
      position: writePosition({ ...reading.last, open: origins }),
    };
  };
}

function beginning(firstBlock: bigint): Position {
  return { block: firstBlock - 1n, hash: null, open: new Map() };
}

async function watchedBy(watch: Watch): Promise<Watched> {
  return {
    recent: await watch.recent(),
    ours: (addresses) =>
      watch.ours(addresses).catch((cause) => {
        throw new WatchFailed('the addresses cannot be told', { cause });
      }),
  };
}

function onlyWatch(error: unknown): WatchFailed {
  if (error instanceof WatchFailed) return error;
  throw error;
}

async function headsOf(client: EvmClient): Promise<{ finalized: Block; latest: Block }> {
  const [finalized, latest] = await Promise.all([client.block('finalized'), client.block('latest')]);
  if (finalized === null || latest === null) throw new ProviderFailure('no block is final yet', true);
  return { finalized, latest };
}

async function requireSame(network: string, client: EvmClient, { block, hash }: Position): Promise<void> {
  if (hash === null) return;
  const there = await client.block(block);
  if (there === null) throw new ProviderFailure('the provider is behind what was read already', true);
  if (there.hash !== hash)
    throw new Error(
      `${network}: block ${block} was final and is another one now. Deposits are not read any further: compare the ` +
        'providers with an explorer before you set a new position.',
    );
}

async function placeOf(client: EvmClient, end: bigint, finalized: Block): Promise<Reading['last']> {
  const { number, hash } = end === finalized.number ? finalized : ((await client.block(end)) ?? {});
  if (number !== end || hash === undefined) throw new ProviderFailure('a block is missing', true);
  return { block: end, hash };
}

/** Never past `to`, which the same provider has: about blocks it has not it would answer that nothing happened. */
function rangesOf(from: bigint, to: bigint, blocks: number): readonly Range[] {
  const ranges: Range[] = [];
  for (let next = from; next <= to && ranges.length < MOST_RANGES; next += BigInt(blocks)) {
    const end = next + BigInt(blocks) - 1n;
    ranges.push({ from: next, to: end < to ? end : to });
  }
  return ranges;
}

function identityOf({ txHash, txIndex }: Sighting): string {
  return `${txHash} ${txIndex}`;
}
