// Finds the index of each transfer among the logs of its transaction. This index identifies the transfer. Its index in the
// block is not usable: it changes when a reorganisation moves the transaction to a different block, and then the transfer would
// be counted twice. A transfer whose index cannot be found never stops the reading of later transfers.
import { getAddress, type Hex } from 'viem';
import type { Sighting } from '../../../../ports/networks/network-observer.ts';
import { type EvmBlock, type EvmLog, isUnusableAnswer, type Receipt } from '../rpc/answers.ts';
import type { EvmClient } from '../rpc/client.ts';
import type { EvmContext } from '../rpc/context.ts';
import type { Erc20Transfer } from '../rpc/transfers.ts';

export interface IndexedTransfers {
  readonly sightings: readonly Omit<Sighting, 'final'>[];
  readonly unreadable: readonly { readonly reason: string; readonly raw: string }[];
  /** The transfers whose index this provider cannot show. A different provider may show it, or this one may show it later. */
  readonly unplaced: readonly UnindexedTransfer[];
}

export interface UnindexedTransfer {
  readonly txHash: Hex;
  readonly block: bigint;
  /** The index of the log in the block. */
  readonly index: number;
  readonly reason: string;
  readonly raw: string;
}

interface NoReceipt {
  readonly reason: string;
  /** True means that the provider refused the request. False means that it reported that the receipt does not exist. */
  readonly refused: boolean;
}

export interface TransferLog {
  readonly log: EvmLog;
  readonly transfer: Erc20Transfer;
}

/**
 * Some logs have no receipt, and any contract can emit such a log. A log of a different token is ignored immediately. A log of
 * our token is ignored only after all providers were asked. `headers` contains the headers of these blocks if they are final.
 * It is empty if the blocks may still change.
 */
export async function findLogIndexes(
  { token }: EvmContext,
  client: EvmClient,
  kept: readonly TransferLog[],
  headers: readonly EvmBlock[],
): Promise<IndexedTransfers> {
  const stays = headers.length > 0;
  const minedAt = await readBlockTimes(client, kept, headers);
  const hashes = [...new Set(kept.map(({ log }) => log.txHash))];
  const receipts = await Promise.all(hashes.map((hash) => readReceiptOrReason(client, hash)));
  const found = new Map(hashes.map((hash, index) => [hash, receipts[index]!]));
  const sightings: IndexedTransfers['sightings'][number][] = [];
  const unreadable: IndexedTransfers['unreadable'][number][] = [];
  const unplaced: UnindexedTransfer[] = [];
  for (const { log, transfer } of kept) {
    const { txHash, block, index } = log;
    const ourToken = log.address === token;
    const inReceipt = indexIn(found.get(txHash)!, log);
    const isMissed = typeof inReceipt !== 'number' && ourToken && stays;
    const inTransaction = (isMissed ? await indexInBlock(client, log) : undefined) ?? inReceipt;
    if (typeof inTransaction === 'number') {
      sightings.push({
        txHash,
        txIndex: inTransaction,
        address: getAddress(transfer.to),
        memo: null,
        sender: getAddress(transfer.from),
        ourToken,
        amountMinor: transfer.amountMinor,
        chainAtMs: minedAt.get(log.blockHash) ?? null,
      });
    } else if (ourToken || inTransaction.refused) {
      unplaced.push({ txHash, block, index, reason: inTransaction.reason, raw: rawOf(log) });
    } else {
      unreadable.push({ reason: inTransaction.reason, raw: rawOf(log) });
    }
  }
  return { sightings, unreadable, unplaced };
}

/** The mining times of the blocks, by block hash. A missing time does not stop the reading of transfers. */
async function readBlockTimes(
  client: EvmClient,
  kept: readonly TransferLog[],
  headers: readonly EvmBlock[],
): Promise<ReadonlyMap<Hex, number>> {
  if (headers.length > 0) return new Map(headers.map(({ hash, minedAtMs }) => [hash, minedAtMs]));
  const numbers = [...new Set(kept.map(({ log }) => log.block))];
  const blocks = await Promise.all(
    numbers.map((number) =>
      client.block(number).catch((error) => {
        if (isUnusableAnswer(error)) return null;
        throw error;
      }),
    ),
  );
  return new Map(blocks.flatMap((block) => (block === null ? [] : [[block.hash, block.minedAtMs] as const])));
}

/** If a provider is unreachable, the whole read fails. If a provider responds with an error, only this receipt fails. */
async function readReceiptOrReason(client: EvmClient, hash: Hex): Promise<Receipt | NoReceipt> {
  try {
    return (await client.receipt(hash)) ?? { reason: 'a log has no receipt', refused: false };
  } catch (error) {
    if (!isUnusableAnswer(error)) throw error;
    return { reason: `a log has no receipt that can be read: ${error.message}`, refused: error.answered };
  }
}

function indexIn(receipt: Receipt | NoReceipt, { blockHash, index }: EvmLog): number | NoReceipt {
  if ('reason' in receipt) return receipt;
  const at = receipt.logs.findIndex((each) => each.index === index);
  if (receipt.blockHash === blockHash && at >= 0) return at;
  return { reason: 'a log and its receipt do not fit together', refused: false };
}

/**
 * Finds the index from all logs of the block. A provider without the receipt may lag behind, but a provider without the block
 * returns an error.
 */
async function indexInBlock(
  client: EvmClient,
  { blockHash, txHash, index }: EvmLog,
): Promise<number | undefined> {
  try {
    const all = (await client.logsIn(blockHash, { topics: [] })).filter((each) => each.txHash === txHash);
    const at = all.toSorted(byBlockAndIndex).findIndex((each) => each.index === index);
    return at < 0 ? undefined : at;
  } catch (error) {
    if (isUnusableAnswer(error)) return undefined;
    throw error;
  }
}

export function rawOf({ address, topics, data, block, txHash, index }: EvmLog): string {
  return JSON.stringify({ address, topics, data, block: `${block}`, txHash, index });
}

export function byBlockAndIndex(a: EvmLog, b: EvmLog): number {
  return a.block === b.block ? a.index - b.index : a.block < b.block ? -1 : 1;
}
