// Finds the place of each transfer in its transaction, which is what it is known by: its place in the block changes when the
// transaction comes into another one, and the same transfer would be two. One without a known index never keeps the
// others from being read.
import { getAddress, type Hex } from 'viem';
import type { Sighting } from '../../../../ports/network.ts';
import { answeredBadly, type Log, type Receipt } from '../rpc/answers.ts';
import type { EvmClient } from '../rpc/client.ts';
import type { EvmContext } from '../rpc/context.ts';
import type { Transfer } from '../rpc/transfers.ts';

export interface Found {
  readonly sightings: readonly Omit<Sighting, 'final'>[];
  readonly unreadable: readonly { readonly reason: string; readonly raw: string }[];
  /** Transfers whose index this provider cannot show; another provider, or the same one later, may. */
  readonly unplaced: readonly Unplaced[];
}

export interface Unplaced {
  readonly txHash: Hex;
  readonly block: bigint;
  /** Its place in the block. */
  readonly index: number;
  readonly reason: string;
  readonly raw: string;
}

/** Why there is no receipt of use. */
interface NoReceipt {
  readonly reason: string;
  /** The provider did not say that there is none, only that it does not answer now. */
  readonly refused: boolean;
}

export interface Kept {
  readonly log: Log;
  readonly transfer: Transfer;
}

/**
 * Some logs have no receipt anywhere, and every contract can cause one: another token without a receipt is set aside at once,
 * ours only after other providers were asked. `stays`: the blocks are final.
 */
export async function withPlaces(
  { token }: EvmContext,
  client: EvmClient,
  kept: readonly Kept[],
  stays: boolean,
): Promise<Found> {
  const hashes = [...new Set(kept.map(({ log }) => log.txHash))];
  const receipts = await Promise.all(hashes.map((hash) => receiptOf(client, hash)));
  const found = new Map(hashes.map((hash, index) => [hash, receipts[index]!]));
  const sightings: Found['sightings'][number][] = [];
  const unreadable: Found['unreadable'][number][] = [];
  const unplaced: Unplaced[] = [];
  for (const { log, transfer } of kept) {
    const { txHash, block, index } = log;
    const ourToken = log.address === token;
    const inReceipt = placeIn(found.get(txHash)!, log);
    const isMissed = typeof inReceipt !== 'number' && ourToken && stays;
    const place = (isMissed ? await placeInBlock(client, log) : undefined) ?? inReceipt;
    if (typeof place === 'number') {
      sightings.push({
        txHash,
        txIndex: place,
        address: getAddress(transfer.to),
        memo: null,
        sender: getAddress(transfer.from),
        ourToken,
        amountMinor: transfer.amountMinor,
      });
    } else if (ourToken || place.refused) {
      unplaced.push({ txHash, block, index, reason: place.reason, raw: rawOf(log) });
    } else {
      unreadable.push({ reason: place.reason, raw: rawOf(log) });
    }
  }
  return { sightings, unreadable, unplaced };
}

/** A provider that cannot be reached fails as a whole; one that was reached fails for this receipt alone. */
async function receiptOf(client: EvmClient, hash: Hex): Promise<Receipt | NoReceipt> {
  try {
    return (await client.receipt(hash)) ?? { reason: 'a log has no receipt', refused: false };
  } catch (error) {
    if (!answeredBadly(error)) throw error;
    return { reason: `a log has no receipt that can be read: ${error.message}`, refused: error.answered };
  }
}

function placeIn(receipt: Receipt | NoReceipt, { blockHash, index }: Log): number | NoReceipt {
  if ('reason' in receipt) return receipt;
  const place = receipt.logs.findIndex((each) => each.index === index);
  if (receipt.blockHash === blockHash && place >= 0) return place;
  return { reason: 'a log and its receipt do not fit together', refused: false };
}

/** By all logs of its block: who knows no receipt may be behind, and who has not that block refuses to answer. */
async function placeInBlock(
  client: EvmClient,
  { blockHash, txHash, index }: Log,
): Promise<number | undefined> {
  try {
    const all = (await client.logsIn(blockHash, { topics: [] })).filter((each) => each.txHash === txHash);
    const place = all.toSorted(byPlace).findIndex((each) => each.index === index);
    return place < 0 ? undefined : place;
  } catch (error) {
    if (answeredBadly(error)) return undefined;
    throw error;
  }
}

export function rawOf({ address, topics, data, block, txHash, index }: Log): string {
  return JSON.stringify({ address, topics, data, block: `${block}`, txHash, index });
}

export function byPlace(a: Log, b: Log): number {
  return a.block === b.block ? a.index - b.index : a.block < b.block ? -1 : 1;
}
