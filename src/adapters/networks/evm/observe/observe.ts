// What came in since a position. Blocks that stay are read once and moved past; those above them are read again until they
// stay, and told of once; what no provider can place is set aside in the end and stops nothing. A chain that no longer has
// the block that was read last is not followed: somebody must look.
import type { Network } from '../../../../ports/network/network.ts';
import type { Observed, Sighting, Watch } from '../../../../ports/network/observes.ts';
import type { EvmContext } from '../rpc/context.ts';
import { type Missed, makePatience } from '../rpc/patience.ts';
import { MOST_OPEN, type Position, readPosition, writePosition } from './position.ts';
import { type Origins, type Reading, type Round, readOn } from './read-blocks.ts';
import type { Watched } from './scan.ts';

/** So many blocks that stay in one go: each has its header read. Fewer where a provider does not allow that. */
const MOST_BLOCKS = 1_000;
const MOST_TOLD = 10_000;

/** Our own store failed, which says nothing about the provider. */
class WatchFailed extends Error {
  override readonly name = 'WatchFailed';
}

export function makeObserve(context: EvmContext, origins: Origins): Network['observe'] {
  const { settings, parts, providers } = context;
  /** With the amount that was told. */
  const told = new Map<string, bigint>();
  const patience = makePatience(context);

  let pace = MOST_BLOCKS;

  const read = async (start: Position, watched: Watched, limits: Omit<Round, 'pace'>): Promise<Reading> => {
    const round = { ...limits, pace };
    try {
      const reading = await providers.one((client) =>
        readOn(context, client, { start, watched, round, origins }).catch(onlyWatch),
      );
      if (reading instanceof WatchFailed) throw reading.cause;
      pace = Math.min(MOST_BLOCKS, pace * 2);
      return reading;
    } catch (error) {
      // It may have been too much at once. What is waited for is not a matter of how much.
      if (limits.missed.size === 0) pace = Math.max(1, Math.floor(pace / 2));
      throw error;
    }
  };

  /** Only when all of them failed just now is anything given up: one that came back may have it. */
  const readPatiently = async (start: Position, watched: Watched): Promise<Reading> => {
    const missed: Missed = new Map();
    try {
      return await read(start, watched, { givenUp: new Set(), upTo: null, missed });
    } catch (error) {
      const { givenUp, upTo } = patience.failed(missed);
      if (givenUp.size === 0 || (upTo !== null && upTo <= start.block)) throw error;
      return read(start, watched, { givenUp, upTo, missed: new Map() });
    }
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
    // In another block the same transfer may be of another amount.
    const unheard = early.filter((each) => told.get(identityOf(each)) !== each.amountMinor);
    for (const sighting of unheard) told.set(identityOf(sighting), sighting.amountMinor);
    return [...final, ...unheard];
  };

  return async (position, watch): Promise<Observed> => {
    const start = position === null ? beginning(settings.firstBlock) : readPosition(position);
    for (const [tx, origin] of start.open) if (!origins.has(tx)) origins.set(tx, origin);
    const reading = await readPatiently(start, await watchedBy(watch));
    patience.passed(reading.last.block);
    for (const { txHash, reason } of reading.givenUp) {
      const detail = { network: settings.name, hash: txHash, reason };
      parts.onTrouble('no provider can place a transfer: it was set aside', detail);
    }
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

function identityOf({ txHash, txIndex }: Sighting): string {
  return `${txHash} ${txIndex}`;
}
