// Reads the transfers to our addresses in a range of blocks, all from one provider. All transfers of our token are read and
// then matched, because a deposit address may be of any age; other tokens are looked for only at addresses where a customer
// may still be paying.
import { getAddress, type Hex } from 'viem';
import type { Watch } from '../../../../ports/networks/observes.ts';
import { answeredBadly, type Block, type Log, ProviderFailure, placeOf } from '../rpc/answers.ts';
import type { EvmClient, LogFilter } from '../rpc/client.ts';
import { completeLogs } from '../rpc/complete-logs.ts';
import type { EvmContext } from '../rpc/context.ts';
import { lower, TRANSFER, topicOf } from '../rpc/contracts.ts';
import { isTransfer, readTransfer, recipientOf, type Transfer } from '../rpc/transfers.ts';
import { byBlockAndIndex, type Found, type Kept, rawOf, withIndexes } from './log-indexes.ts';

/** How many addresses a provider takes in one request. */
const ADDRESSES_AT_ONCE = 200;
/** How often a request about other tokens is split into smaller parts. */
const MOST_PARTS = 64;

export interface Range {
  readonly from: bigint;
  readonly to: bigint;
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
  /** Headers of all these blocks, where no transfer of our token may be missed; empty otherwise. */
  headers: readonly Block[] = [],
): Promise<Found> {
  const blocks = { fromBlock: range.from, toBlock: range.to };
  const filter = { address: context.token, topics: [TRANSFER] };
  // Our token first: a provider that does not answer at all is left at once.
  const answered = await logsOf(client, { ...blocks, ...filter });
  const own = headers.length === 0 ? answered : await completeLogs(client, headers, filter, answered);
  if (headers.length > 0)
    await requireNothingLeftOut(context, client, { ...blocks, ...filter }, headers, own);
  const others = await Promise.all(
    chunks(recent, ADDRESSES_AT_ONCE).map((addresses) =>
      strangeLogs(client, { ...blocks, topics: [TRANSFER, null, addresses.map(topicOf)] }),
    ),
  );
  const foreign = others.flatMap(({ logs }) => logs).filter(({ address }) => address !== context.token);
  const logs = [...own, ...foreign].filter(isTransfer).toSorted(byBlockAndIndex);
  for (const { block } of logs) {
    if (block < range.from || block > range.to)
      throw new ProviderFailure('a log belongs to another block', true);
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
  const placed = await withIndexes(context, client, kept, headers);
  return { ...placed, unreadable: [...unreadable, ...placed.unreadable] };
}

/**
 * No header tells how many logs a block has. So the other providers that answer are asked for the same logs: one that shows more of the
 * same blocks proves that this one leaves something out, and then all of it is read from another one.
 */
async function requireNothingLeftOut(
  { providers }: EvmContext,
  client: EvmClient,
  filter: LogFilter,
  headers: readonly Block[],
  own: readonly Log[],
): Promise<void> {
  const elsewhere = await providers.every(async (other) => (other === client ? [] : logsOf(other, filter)));
  const hashes = new Set(headers.map(({ hash }) => hash));
  const shown = new Set(own.map(placeOf));
  const isLeftOut = (log: Log) => hashes.has(log.blockHash) && !shown.has(placeOf(log));
  if (elsewhere.flat().some(isLeftOut))
    throw new ProviderFailure('it leaves out a transfer that another provider shows', true);
}

/** Providers answer with a limited number of logs: a range that holds too many is asked for in parts. */
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

/** Transfers of other tokens: they are only shown, and must not keep ours from being read. */
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

/** Our own sweeps are not deposits. A transfer of zero is not one either: every account can send zero in the name of another. */
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

function chunks<Each>(all: readonly Each[], size: number): readonly (readonly Each[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
