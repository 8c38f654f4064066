// Reads the result of a transaction on the chain from its receipt: the payments that it made, those that it did not make, and its
// cost. A payment counts as unpaid only if no token moved. A receipt that contradicts itself or the signed amounts is held for
// review.
import type { Hex } from 'viem';
import type { EnvelopeCost, SendStatus } from '../../../../ports/networks/network-payer.ts';
import type { EvmLog, Receipt } from '../rpc/answers.ts';
import type { EvmContext } from '../rpc/context.ts';
import { forwarderOf, NOT_SWEPT, PAID, SWEPT, UNPAID } from '../rpc/contracts.ts';
import { isTransfer, readTransfer } from '../rpc/transfers.ts';
import type { EvmPayload, PayloadItem } from './payload.ts';

type UnpaidItem = { readonly index: number; readonly reason: string };
type LandedReading = { readonly unpaid: readonly UnpaidItem[] } | { readonly odd: string };

export function outcomeOfReceipt(
  context: EvmContext,
  payload: EvmPayload,
  receipt: Receipt,
  finalizedBlock: bigint,
): SendStatus {
  const cost: EnvelopeCost = {
    asset: context.settings.native.asset,
    feeMinor: receipt.gasUsed * receipt.gasPrice,
    opened: [],
  };
  if (payload.kind === 'cancel') return { kind: 'failed', reason: 'cancelled', cost };
  if (!receipt.success) return { kind: 'failed', reason: 'reverted', cost };
  const reading = readLandedItems(context, payload, receipt.logs);
  if ('odd' in reading) return { kind: 'held', reason: reading.odd };
  const { unpaid } = reading;
  if (unpaid.length === payload.items.length)
    return { kind: 'failed', reason: unpaid[0]?.reason ?? 'it made no payment', cost };
  const evidence = {
    block: `${receipt.block}`,
    blockHash: receipt.blockHash,
    finalizedBlock: `${finalizedBlock}`,
    gasUsed: `${receipt.gasUsed}`,
  };
  return { kind: 'final', hash: receipt.hash, evidence, unpaid, cost };
}

function readLandedItems(
  context: EvmContext,
  { kind, batch, items }: EvmPayload,
  logs: readonly EvmLog[],
): LandedReading {
  if (kind === 'sweep') return readSweep(context, items, logs);
  const moved = transfersFromTreasury(context, logs);
  if (kind === 'transfer') {
    const [item] = items;
    const fits =
      moved.length === 1 && item?.kind === 'payment' && moved[0] === transferLine(item.to, item.amountMinor);
    return fits ? { unpaid: [] } : { odd: 'it succeeded, but its transfer differs from the signed one' };
  }
  return readBatch(context, batch!, items, logs, moved);
}

function transfersFromTreasury({ token, treasury }: EvmContext, logs: readonly EvmLog[]): readonly string[] {
  return logs.flatMap((log) => {
    if (log.address !== token || !isTransfer(log)) return [];
    const transfer = readTransfer(log);
    if (typeof transfer === 'string') return ['unreadable'];
    return transfer.from === treasury ? [transferLine(transfer.to, transfer.amountMinor)] : [];
  });
}

function transferLine(to: Hex, amountMinor: bigint): string {
  return `${to} ${amountMinor}`;
}

function readBatch(
  { disperse }: EvmContext,
  batch: Hex,
  items: readonly PayloadItem[],
  logs: readonly EvmLog[],
  moved: readonly string[],
): LandedReading {
  const events = logs.filter(({ address, topics }) => address === disperse && topics[1] === batch);
  const unpaid: UnpaidItem[] = [];
  const paid: string[] = [];
  for (const [index, item] of items.entries()) {
    const own = events.filter(({ topics }) => topics[2] !== undefined && BigInt(topics[2]) === BigInt(index));
    const [log] = own;
    if (own.length !== 1 || log === undefined || item.kind !== 'payment')
      return { odd: `the batch has no clear event for payment ${index}` };
    const fits = log.data.startsWith(`0x${item.to.slice(2).padStart(64, '0')}`);
    if (!fits) return { odd: `the batch made payment ${index} to another wallet` };
    if (log.topics[0] === PAID) paid.push(transferLine(item.to, item.amountMinor));
    else if (log.topics[0] === UNPAID) unpaid.push({ index, reason: 'the token refused it' });
    else return { odd: `the batch has no clear event for payment ${index}` };
  }
  // The token contract may move tokens and still not return true. Then a payment was made although the event reports it as
  // unpaid.
  const same = paid.toSorted().join() === moved.toSorted().join();
  return same ? { unpaid } : { odd: 'the events of the batch contradict the transfers of the token' };
}

/**
 * A sweep moves the whole balance of an address. This is at least the signed amount, or nothing if an earlier sweep moved it.
 * The token's transfers to the treasury must match the events of the factory.
 */
function readSweep(
  context: EvmContext,
  items: readonly PayloadItem[],
  logs: readonly EvmLog[],
): LandedReading {
  const { factory, token } = context;
  const events = logs.filter(
    ({ address, topics }) => address === factory && topics[2]?.slice(26) === token.slice(2),
  );
  const moved = amountsSweptIn(context, logs);
  const unpaid: UnpaidItem[] = [];
  for (const [index, item] of items.entries()) {
    if (item.kind !== 'sweep') return { odd: `item ${index} of the sweep is a payment` };
    const own = events.filter(({ topics }) => topics[1] === item.salt);
    const swept = own.filter(({ topics }) => topics[0] === SWEPT);
    const sweptMinor = swept.reduce((sum, { data }) => sum + BigInt(data), 0n);
    if (sweptMinor !== (moved.get(forwarderOf(factory, item.salt)) ?? 0n))
      return { odd: `the amount that the token moved differs from the sweep for deposit address ${index}` };
    if (swept.length === 0 && !own.some(({ topics }) => topics[0] === NOT_SWEPT))
      return { odd: `the sweep has no event for deposit address ${index}` };
    if (swept.length === 0) unpaid.push({ index, reason: 'the token did not move' });
    const wantedMinor = items.reduce(
      (sum, each) => (each.kind === 'sweep' && each.salt === item.salt ? sum + each.amountMinor : sum),
      0n,
    );
    if (sweptMinor > 0n && sweptMinor < wantedMinor)
      return {
        odd: `deposit address ${index} held ${sweptMinor}, and ${wantedMinor} came to it: the token may deduct a fee`,
      };
  }
  return { unpaid };
}

/** The amount that the treasury received from each address, according to the token's own logs. */
function amountsSweptIn({ token, treasury }: EvmContext, logs: readonly EvmLog[]): ReadonlyMap<Hex, bigint> {
  const sums = new Map<Hex, bigint>();
  for (const log of logs) {
    const transfer = log.address === token && isTransfer(log) ? readTransfer(log) : '';
    if (typeof transfer === 'string' || transfer.to !== treasury) continue;
    sums.set(transfer.from, (sums.get(transfer.from) ?? 0n) + transfer.amountMinor);
  }
  return sums;
}
