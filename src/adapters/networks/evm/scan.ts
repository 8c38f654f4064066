// Reads the transfers to addresses of ours in a range of blocks, all from one provider. Which of a token's transfers are ours
// is found after reading them all, because an address may be any age; other tokens are looked for only where somebody may
// still be paying.
import { getAddress, type Hex } from 'viem';
import type { Sighting, Watch } from '../../../ports/network.ts';
import { type Log, ProviderFailure } from './answers.ts';
import type { EvmClient } from './client.ts';
import type { EvmContext } from './context.ts';
import { lower, TRANSFER, topicOf } from './contracts.ts';
import { isTransfer, readTransfer, recipientOf, type Transfer } from './transfers.ts';

/** So many addresses a provider takes in one question. */
const ADDRESSES_AT_ONCE = 200;

export interface Range {
  readonly from: bigint;
  readonly to: bigint;
}

export interface Found {
  readonly sightings: readonly Omit<Sighting, 'final'>[];
  readonly unreadable: readonly { readonly reason: string; readonly raw: string }[];
}

type Ours = (address: Hex) => boolean;

export interface Watched {
  readonly recent: readonly string[];
  readonly ours: Watch['ours'];
}

export async function scan(
  context: EvmContext,
  client: EvmClient,
  { recent, ours: oursOf }: Watched,
  range: Range,
): Promise<Found> {
  const blocks = { fromBlock: range.from, toBlock: range.to };
  const [own, ...others] = await Promise.all([
    client.logs({ ...blocks, address: context.token, topics: [TRANSFER] }),
    ...chunks(recent, ADDRESSES_AT_ONCE).map((addresses) =>
      client.logs({ ...blocks, topics: [TRANSFER, null, addresses.map(topicOf)] }),
    ),
  ]);
  const foreign = others.flat().filter(({ address }) => address !== context.token);
  const logs = [...own, ...foreign].filter(isTransfer).toSorted(byPlace);
  for (const { block } of logs) {
    if (block < range.from || block > range.to) throw new ProviderFailure('a log is of another block', true);
  }
  const ours = await oursAmong(oursOf, logs);
  const unreadable: { reason: string; raw: string }[] = [];
  const kept: { log: Log; transfer: Transfer }[] = [];
  for (const log of logs) {
    const to = recipientOf(log);
    if (to !== undefined && to !== context.treasury && !ours(to)) continue;
    const transfer = readTransfer(log);
    if (typeof transfer === 'string') unreadable.push({ reason: transfer, raw: rawOf(log) });
    else if (comesFromOutside(context, transfer, ours)) kept.push({ log, transfer });
  }
  return { sightings: await withPlaces(context, client, kept), unreadable };
}

/** What we bring in ourselves is nobody's deposit. Nothing is none either: anybody can send nothing in another's name. */
function comesFromOutside(
  { treasury }: EvmContext,
  { from, to, amountMinor }: Transfer,
  ours: Ours,
): boolean {
  if (amountMinor === 0n) return false;
  return to !== treasury || (from !== treasury && !ours(from));
}

async function oursAmong(oursOf: Watch['ours'], logs: readonly Log[]): Promise<Ours> {
  const addresses = new Set<string>();
  for (const log of logs) {
    const to = recipientOf(log);
    if (to !== undefined) addresses.add(getAddress(to));
    const transfer = readTransfer(log);
    if (typeof transfer !== 'string') addresses.add(getAddress(transfer.from));
  }
  const ours = addresses.size === 0 ? new Set<string>() : await oursOf([...addresses]);
  const known = new Set([...ours].map((address) => lower(address as Hex)));
  return (address) => known.has(address);
}

/**
 * A log is known by its place in its transaction: its place in the block changes when the transaction comes into another
 * one, and the same transfer would be two.
 */
async function withPlaces(
  { token }: EvmContext,
  client: EvmClient,
  kept: readonly { readonly log: Log; readonly transfer: Transfer }[],
): Promise<Found['sightings']> {
  const hashes = [...new Set(kept.map(({ log }) => log.txHash))];
  const receipts = await Promise.all(hashes.map((hash) => client.receipt(hash)));
  const receiptOf = new Map(hashes.map((hash, index) => [hash, receipts[index]]));
  return kept.map(({ log, transfer }) => {
    const receipt = receiptOf.get(log.txHash);
    const place = receipt?.logs.findIndex(({ index }) => index === log.index) ?? -1;
    if (receipt?.blockHash !== log.blockHash || place < 0)
      throw new ProviderFailure('a log and its receipt do not fit together', true);
    return {
      txHash: log.txHash,
      txIndex: place,
      address: getAddress(transfer.to),
      memo: null,
      sender: getAddress(transfer.from),
      ourToken: log.address === token,
      amountMinor: transfer.amountMinor,
    };
  });
}

function rawOf({ address, topics, data, block, txHash, index }: Log): string {
  return JSON.stringify({ address, topics, data, block: `${block}`, txHash, index });
}

function byPlace(a: Log, b: Log): number {
  return a.block === b.block ? a.index - b.index : a.block < b.block ? -1 : 1;
}

function chunks<Each>(all: readonly Each[], size: number): readonly (readonly Each[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
