// Reads the transfers to our addresses in a range of blocks, all from one provider. All transfers of our token are read and then
// matched with our addresses, because a deposit can arrive at a very old address. Transfers of other tokens are searched only for
// recent addresses.
import { getAddress, type Hex } from 'viem';
import type { DepositAddresses } from '../../../../ports/networks/network-observer.ts';
import { type EvmBlock, type EvmLog, isUnusableAnswer, ProviderFailure, placeOfLog } from '../rpc/answers.ts';
import type { EvmClient, LogFilter } from '../rpc/client.ts';
import { completeLogs } from '../rpc/complete-logs.ts';
import type { EvmContext } from '../rpc/context.ts';
import { addressTopic, lowerHex, TRANSFER } from '../rpc/contracts.ts';
import { type Erc20Transfer, isTransfer, readTransfer, recipientOf } from '../rpc/transfers.ts';
import {
  byBlockAndIndex,
  findLogIndexes,
  type IndexedTransfers,
  rawOf,
  type TransferLog,
} from './log-indexes.ts';

const ADDRESSES_AT_ONCE = 200;
/** After this number of requests, the search for other tokens no longer splits a block range. */
const MOST_PARTS = 64;

export interface BlockRange {
  readonly from: bigint;
  readonly to: bigint;
}

type IsOurs = (address: Hex) => boolean;

export interface WatchedAddresses {
  readonly recent: readonly string[];
  readonly ours: DepositAddresses['ours'];
}

export async function scanTransfers(
  context: EvmContext,
  client: EvmClient,
  { recent, ours: oursOf }: WatchedAddresses,
  range: BlockRange,
  /** The headers of all these blocks, if the scan must find every transfer of our token. Otherwise the list is empty. */
  headers: readonly EvmBlock[] = [],
): Promise<IndexedTransfers> {
  const blocks = { fromBlock: range.from, toBlock: range.to };
  const filter = { address: context.token, topics: [TRANSFER] };
  // Our token is read first, so that a provider that does not respond is abandoned at once.
  const answered = await readLogs(client, { ...blocks, ...filter });
  const own = headers.length === 0 ? answered : await completeLogs(client, headers, filter, answered);
  if (headers.length > 0)
    await requireNothingLeftOut(context, client, { ...blocks, ...filter }, headers, own);
  const others = await Promise.all(
    chunks(recent, ADDRESSES_AT_ONCE).map((addresses) =>
      readOtherTokenLogs(client, { ...blocks, topics: [TRANSFER, null, addresses.map(addressTopic)] }),
    ),
  );
  const foreign = others.flatMap(({ logs }) => logs).filter(({ address }) => address !== context.token);
  const logs = [...own, ...foreign].filter(isTransfer).toSorted(byBlockAndIndex);
  for (const { block } of logs) {
    if (block < range.from || block > range.to)
      throw new ProviderFailure('a log belongs to another block', true);
  }
  const ours = await findOurAddresses(oursOf, logs);
  const unreadable = others.flatMap(({ missed }) => missed.map(tooManyLogs));
  const kept: TransferLog[] = [];
  for (const log of logs) {
    const to = recipientOf(log);
    if (to !== undefined && to !== context.treasury && !ours(to)) continue;
    const transfer = readTransfer(log);
    if (typeof transfer === 'string') unreadable.push({ reason: transfer, raw: rawOf(log) });
    else if (comesFromOutside(context, transfer, ours)) kept.push({ log, transfer });
  }
  const placed = await findLogIndexes(context, client, kept, headers);
  return { ...placed, unreadable: [...unreadable, ...placed.unreadable] };
}

/**
 * A header does not show how many logs a block has, so the same logs are also requested from the other providers. If a
 * different provider shows more logs of the same blocks, this provider's response is incomplete. Then everything is read from a
 * different provider.
 */
async function requireNothingLeftOut(
  { providers }: EvmContext,
  client: EvmClient,
  filter: LogFilter,
  headers: readonly EvmBlock[],
  own: readonly EvmLog[],
): Promise<void> {
  const elsewhere = await providers.every(async (other) => (other === client ? [] : readLogs(other, filter)));
  const hashes = new Set(headers.map(({ hash }) => hash));
  const shown = new Set(own.map(placeOfLog));
  const isLeftOut = (log: EvmLog) => hashes.has(log.blockHash) && !shown.has(placeOfLog(log));
  if (elsewhere.flat().some(isLeftOut))
    throw new ProviderFailure('it leaves out a transfer that another provider shows', true);
}

/** Providers return a limited number of logs. A range with too many logs is requested in parts. */
export async function readLogs(client: EvmClient, filter: LogFilter): Promise<readonly EvmLog[]> {
  try {
    return await client.logs(filter);
  } catch (error) {
    const { fromBlock, toBlock } = filter;
    if (!isUnusableAnswer(error) || fromBlock === toBlock) throw error;
    const middle = (fromBlock + toBlock) / 2n;
    const first = await readLogs(client, { ...filter, toBlock: middle });
    return [...first, ...(await readLogs(client, { ...filter, fromBlock: middle + 1n }))];
  }
}

/**
 * Transfers of other tokens are only for the information of operators. An error in them must not stop the search for our token.
 */
async function readOtherTokenLogs(client: EvmClient, filter: LogFilter) {
  const logs: EvmLog[] = [];
  const missed: BlockRange[] = [];
  const open: BlockRange[] = [{ from: filter.fromBlock, to: filter.toBlock }];
  for (let asked = 0, next = open.shift(); next !== undefined; asked++, next = open.shift()) {
    const { from, to } = next;
    try {
      logs.push(...(await client.logs({ ...filter, fromBlock: from, toBlock: to })));
    } catch (error) {
      if (!isUnusableAnswer(error)) throw error;
      const middle = (from + to) / 2n;
      if (from === to || asked >= MOST_PARTS) missed.push(next);
      else open.unshift({ from, to: middle }, { from: middle + 1n, to });
    }
  }
  return { logs, missed };
}

function tooManyLogs({ from, to }: BlockRange): { reason: string; raw: string } {
  const reason = 'deposit addresses received more transfers of other tokens than a provider can return';
  return { reason, raw: JSON.stringify({ from: `${from}`, to: `${to}` }) };
}

/**
 * The treasury's own sweeps are not deposits. A transfer of zero is not a deposit either, because any account can send zero
 * tokens in the name of another.
 */
function comesFromOutside(
  { treasury }: EvmContext,
  { from, to, amountMinor }: Erc20Transfer,
  ours: IsOurs,
): boolean {
  if (amountMinor === 0n) return false;
  return to !== treasury || (from !== treasury && !ours(from));
}

async function findOurAddresses(oursOf: DepositAddresses['ours'], logs: readonly EvmLog[]): Promise<IsOurs> {
  const addresses = new Set<string>();
  for (const log of logs) {
    const to = recipientOf(log);
    if (to !== undefined) addresses.add(getAddress(to));
    const transfer = readTransfer(log);
    if (typeof transfer !== 'string') addresses.add(getAddress(transfer.from));
  }
  const ours = addresses.size === 0 ? new Set<string>() : await oursOf([...addresses]);
  const known = new Set([...ours].map((address) => lowerHex(address as Hex)));
  return (address) => known.has(address);
}

function chunks<Each>(all: readonly Each[], size: number): readonly (readonly Each[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
