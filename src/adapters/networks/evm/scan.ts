// Reads the transfers to addresses of ours in a range of blocks, all from one provider. Which of a token's transfers are ours
// is found after reading them all, because an address may be any age; other tokens are looked for only where somebody may
// still be paying. One whose place cannot be told never keeps the others from being read.
import { getAddress, type Hex } from 'viem';
import type { Sighting, Watch } from '../../../ports/network.ts';
import { answeredBadly, type Block, type Log, ProviderFailure, type Receipt } from './answers.ts';
import type { EvmClient, LogFilter } from './client.ts';
import { completeLogs } from './complete-logs.ts';
import type { EvmContext } from './context.ts';
import { lower, TRANSFER, topicOf } from './contracts.ts';
import { isTransfer, readTransfer, recipientOf, type Transfer } from './transfers.ts';

/** So many addresses a provider takes in one question. */
const ADDRESSES_AT_ONCE = 200;
/** So often a question about other tokens is asked in smaller parts. */
const MOST_PARTS = 64;

export interface Range {
  readonly from: bigint;
  readonly to: bigint;
}

export interface Found {
  readonly sightings: readonly Omit<Sighting, 'final'>[];
  readonly unreadable: readonly { readonly reason: string; readonly raw: string }[];
  /** What this provider cannot tell the place of, and another one or a later day may. */
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

interface Kept {
  readonly log: Log;
  readonly transfer: Transfer;
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
  /** Of all these blocks, where nothing of our token may be missed. */
  headers: readonly Block[] = [],
): Promise<Found> {
  const blocks = { fromBlock: range.from, toBlock: range.to };
  const filter = { address: context.token, topics: [TRANSFER] };
  // Ours first: a provider that answers nothing at all is left at once.
  const answered = await logsOf(client, { ...blocks, ...filter });
  const own = headers.length === 0 ? answered : await completeLogs(client, headers, filter, answered);
  const others = await Promise.all(
    chunks(recent, ADDRESSES_AT_ONCE).map((addresses) =>
      strangeLogs(client, { ...blocks, topics: [TRANSFER, null, addresses.map(topicOf)] }),
    ),
  );
  const foreign = others.flatMap(({ logs }) => logs).filter(({ address }) => address !== context.token);
  const logs = [...own, ...foreign].filter(isTransfer).toSorted(byPlace);
  for (const { block } of logs) {
    if (block < range.from || block > range.to) throw new ProviderFailure('a log is of another block', true);
  }
  const ours = await oursAmong(oursOf, logs);
  const unreadable = others.flatMap(({ missed }) => missed.map(tooMany));
  const kept: Kept[] = [];
  for (const log of logs) {
    const to = recipientOf(log);
    if (to !== undefined && to !== context.treasury && !ours(to)) continue;
    const transfer = readTransfer(log);
    if (typeof transfer === 'string') unreadable.push({ reason: transfer, raw: rawOf(log) });
    else if (comesFromOutside(context, transfer, ours)) kept.push({ log, transfer });
  }
  const placed = await withPlaces(context, client, kept, headers.length > 0);
  return { ...placed, unreadable: [...unreadable, ...placed.unreadable] };
}

/** Providers answer with only so many logs, and anybody can write as many: what is too much is asked for in parts. */
export async function logsOf(client: EvmClient, filter: LogFilter): Promise<readonly Log[]> {
  try {
    return await client.logs(filter);
  } catch (error) {
    const { fromBlock, toBlock } = filter;
    if (!answeredBadly(error) || fromBlock === toBlock) throw error;
    const middle = (fromBlock + toBlock) / 2n;
    const first = await logsOf(client, { ...filter, toBlock: middle });
    return [...first, ...(await logsOf(client, { ...filter, fromBlock: middle + 1n }))];
  }
}

/** Of tokens that are not ours: they are only shown, and must not keep ours from being read. */
async function strangeLogs(client: EvmClient, filter: LogFilter) {
  const logs: Log[] = [];
  const missed: Range[] = [];
  const open: Range[] = [{ from: filter.fromBlock, to: filter.toBlock }];
  for (let asked = 0, next = open.shift(); next !== undefined; asked++, next = open.shift()) {
    const { from, to } = next;
    try {
      logs.push(...(await client.logs({ ...filter, fromBlock: from, toBlock: to })));
    } catch (error) {
      if (!answeredBadly(error)) throw error;
      const middle = (from + to) / 2n;
      if (from === to || asked >= MOST_PARTS) missed.push(next);
      else open.unshift({ from, to: middle }, { from: middle + 1n, to });
    }
  }
  return { logs, missed };
}

function tooMany({ from, to }: Range): { reason: string; raw: string } {
  const reason = 'more transfers of other tokens came to deposit addresses than a provider answers for';
  return { reason, raw: JSON.stringify({ from: `${from}`, to: `${to}` }) };
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
 * one, and the same transfer would be two. Some logs have no receipt anywhere, and anybody may cause one: another token
 * without a receipt is set aside at once, ours is not before others were asked.
 */
async function withPlaces(
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

function byPlace(a: Log, b: Log): number {
  return a.block === b.block ? a.index - b.index : a.block < b.block ? -1 : 1;
}

function chunks<Each>(all: readonly Each[], size: number): readonly (readonly Each[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
