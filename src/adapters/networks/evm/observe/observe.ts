// Reads the deposits since a position. Final blocks are read once, and the position moves past them. Later blocks are read
// again until they are final, and their deposits are reported once. A transfer that no provider can locate is set aside for
// review after a while, so that it does not block the reading. If the chain no longer has the last block that was read, reading
// stops until an operator acts.
import type { Network } from '../../../../ports/networks/network.ts';
import type {
  DepositAddresses,
  DepositObservation,
  Sighting,
} from '../../../../ports/networks/network-observer.ts';
import type { EvmContext } from '../rpc/context.ts';
import { type MissedTransfers, makeReceiptPatience } from '../rpc/receipt-patience.ts';
import { type EvmPosition, MOST_OPEN_TRANSFERS, readPosition, writePosition } from './position.ts';
import {
  type DepositReading,
  type ReadRoundLimits,
  readDeposits,
  type TransferOrigins,
} from './read-deposits.ts';
import type { WatchedAddresses } from './scan-transfers.ts';

/** The maximum number of final blocks, each with its header, that one turn reads. It is reduced when a provider fails. */
const MOST_BLOCKS = 1_000;
const MOST_REPORTED = 10_000;

/** The service's own store failed, which is not a failure of the provider. */
class WatchError extends Error {
  override readonly name = 'WatchError';
}

export function makeObserve(context: EvmContext, origins: TransferOrigins): Network['observe'] {
  const { settings, parts, providers } = context;
  const reported = new Map<string, bigint>();
  const patience = makeReceiptPatience(context);

  let pace = MOST_BLOCKS;

  const read = async (
    start: EvmPosition,
    watched: WatchedAddresses,
    limits: Omit<ReadRoundLimits, 'pace'>,
  ): Promise<DepositReading> => {
    const round = { ...limits, pace };
    try {
      const reading = await providers.one((client) =>
        readDeposits(context, client, { start, watched, round, origins }).catch(requireWatchError),
      );
      if (reading instanceof WatchError) throw reading.cause;
      pace = Math.min(MOST_BLOCKS, pace * 2);
      return reading;
    } catch (error) {
      // The range may have been too large. A missing receipt does not depend on the size of the range.
      if (limits.missed.size === 0) pace = Math.max(1, Math.floor(pace / 2));
      throw error;
    }
  };

  /**
   * The service gives up a transfer only if all providers have just failed to show it, because a provider that is reachable
   * again may have it.
   */
  const readPatiently = async (start: EvmPosition, watched: WatchedAddresses): Promise<DepositReading> => {
    const missed: MissedTransfers = new Map();
    try {
      return await read(start, watched, { givenUp: new Set(), upTo: null, missed });
    } catch (error) {
      const { givenUp, upTo } = patience.failed(missed);
      if (givenUp.size === 0 || (upTo !== null && upTo <= start.block)) throw error;
      return read(start, watched, { givenUp, upTo, missed: new Map() });
    }
  };

  return async (position, watch): Promise<DepositObservation> => {
    const start = position === null ? firstPosition(settings.firstBlock) : readPosition(position);
    for (const [tx, origin] of start.open) if (!origins.has(tx)) origins.set(tx, origin);
    const reading = await readPatiently(start, await guardWatch(watch));
    patience.passed(reading.last.block);
    for (const { txHash, reason } of reading.givenUp) {
      const detail = { network: settings.name, hash: txHash, reason };
      parts.onTrouble('no provider shows the receipt of a transfer: it was set aside for review', detail);
    }
    const sightings = rememberReading(reading, origins, reported);
    return {
      sightings,
      unreadable: reading.unreadable,
      position: writePosition({ ...reading.last, open: origins }),
    };
  };
}

function rememberReading(
  { final, early, senders }: DepositReading,
  origins: TransferOrigins,
  reported: Map<string, bigint>,
): readonly Sighting[] {
  for (const [tx, origin] of senders) if (origin !== null) origins.set(tx, origin);
  for (const sighting of final) {
    origins.delete(sighting.txHash);
    reported.delete(identityOf(sighting));
  }
  for (const tx of [...origins.keys()].slice(0, -MOST_OPEN_TRANSFERS)) origins.delete(tx);
  if (reported.size > MOST_REPORTED) reported.clear();
  // The same transfer may have a different amount in a different block.
  const unheard = early.filter((each) => reported.get(identityOf(each)) !== each.amountMinor);
  for (const sighting of unheard) reported.set(identityOf(sighting), sighting.amountMinor);
  return [...final, ...unheard];
}

function firstPosition(firstBlock: bigint): EvmPosition {
  return { block: firstBlock - 1n, hash: null, open: new Map() };
}

async function guardWatch(watch: DepositAddresses): Promise<WatchedAddresses> {
  return {
    recent: await watch.recent(),
    ours: (addresses) =>
      watch.ours(addresses).catch((cause) => {
        throw new WatchError('the deposit addresses cannot be read from the store', { cause });
      }),
  };
}

function requireWatchError(error: unknown): WatchError {
  if (error instanceof WatchError) return error;
  throw error;
}

function identityOf({ txHash, txIndex }: Sighting): string {
  return `${txHash} ${txIndex}`;
}
