// Computes how many of the received tokens are missing at a deposit address. The token's log shows the sent amount. But the
// token may keep a fee, and an issuer may remove tokens without a transfer. Tokens that have since left the address by a sweep
// are not missing.
import type { Hex } from 'viem';
import type { PendingSighting } from '../../../../ports/networks/network-observer.ts';
import { type EvmBlock, isUnusableAnswer, ProviderFailure } from '../rpc/answers.ts';
import type { EvmClient } from '../rpc/client.ts';
import type { EvmContext } from '../rpc/context.ts';
import { addressTopic, balanceOf, lowerHex, TRANSFER } from '../rpc/contracts.ts';
import { isTransfer, readTransfer } from '../rpc/transfers.ts';
import { readLogs } from './scan-transfers.ts';

/**
 * Other deposits to the address count as already swept if they are older than the range that this number of log requests covers.
 */
const RECENT_PIECES = 20n;
const MOST_PIECES = 2_000n;

/** The amount that is missing at the deposit address. `at` is the block of the deposit. */
export async function readMissingAmount(
  context: EvmContext,
  client: EvmClient,
  { address, amountMinor, beside = [] }: PendingSighting,
  at: bigint,
  finalized: EvmBlock,
): Promise<bigint> {
  const holder = lowerHex(address as Hex);
  // The treasury's balance changes all the time. A different part of the service compares it with the ledger.
  if (holder === context.treasury) return 0n;
  const held = await readHeldAmount(context, client, holder, finalized.number);
  if (held.amountMinor >= sumOf(beside, amountMinor)) return 0n;
  const since = at - RECENT_PIECES * BigInt(context.settings.logBlocks);
  const placed = await Promise.all(
    beside.map(async (each) => ({ ...each, block: await readBlockOf(client, each.txHash) })),
  );
  // A deposit that has not landed, or whose block was replaced, does not count.
  const recent = placed.flatMap(({ block, ...each }) =>
    block !== null && block >= since && block <= held.block ? [{ ...each, block }] : [],
  );
  const from = recent.reduce((first, { block }) => (block < first ? block : first), at);
  const leftMinor = await sumTransfersFrom(context, client, holder, { from, to: held.block });
  const missingMinor = sumOf(recent, amountMinor) - held.amountMinor - leftMinor;
  return missingMinor > 0n ? missingMinor : 0n;
}

function sumOf(beside: NonNullable<PendingSighting['beside']>, amountMinor: bigint): bigint {
  return beside.reduce((sum, each) => sum + each.amountMinor, amountMinor);
}

/**
 * The balance at the final block. If a server no longer has the state of the final block, it is the balance at the newest
 * block.
 */
async function readHeldAmount(
  { token, treasury }: EvmContext,
  client: EvmClient,
  holder: Hex,
  finalized: bigint,
): Promise<{ readonly amountMinor: bigint; readonly block: bigint }> {
  const { data, read } = balanceOf(holder);
  const call = { from: treasury, to: token, data };
  try {
    return { amountMinor: read(await client.call(call, finalized)), block: finalized };
  } catch (error) {
    if (!isUnusableAnswer(error) || error.reverted) throw error;
    const latest = await client.block('latest');
    if (latest === null) throw error;
    return { amountMinor: read(await client.call(call, latest.number)), block: latest.number };
  }
}

async function readBlockOf(client: EvmClient, txHash: string): Promise<bigint | null> {
  const receipt = await client.receipt(txHash as Hex);
  return receipt?.success === true ? receipt.block : null;
}

async function sumTransfersFrom(
  { token, settings }: EvmContext,
  client: EvmClient,
  holder: Hex,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Promise<bigint> {
  const size = BigInt(settings.logBlocks);
  if ((to - from) / size >= MOST_PIECES)
    throw new ProviderFailure('the transfers out of a deposit address are too old to be read', true);
  const filter = { address: token, topics: [TRANSFER, addressTopic(holder)] };
  let leftMinor = 0n;
  for (let next = from; next <= to; next += size) {
    const end = next + size - 1n < to ? next + size - 1n : to;
    for (const log of await readLogs(client, { ...filter, fromBlock: next, toBlock: end })) {
      const transfer = isTransfer(log) && log.address === token ? readTransfer(log) : '';
      if (typeof transfer !== 'string' && transfer.from === holder) leftMinor += transfer.amountMinor;
    }
  }
  return leftMinor;
}
