// What a transaction that landed did, read from its receipt: whom it paid, whom not, what it cost. An order counts as unpaid
// only where nothing moved; what does not fit together is for people to look at.
import type { Hex } from 'viem';
import type { Cost, SendStatus } from '../../../../ports/network/pays.ts';
import type { Log, Receipt } from '../rpc/answers.ts';
import type { EvmContext } from '../rpc/context.ts';
import { NOT_SWEPT, PAID, SWEPT, UNPAID } from '../rpc/contracts.ts';
import { isTransfer, readTransfer } from '../rpc/transfers.ts';
import type { Item, Payload } from './payload.ts';

type Unpaid = { readonly index: number; readonly reason: string };
type Reading = { readonly unpaid: readonly Unpaid[] } | { readonly odd: string };

export function outcomeOf(
  context: EvmContext,
  payload: Payload,
  receipt: Receipt,
  finalizedBlock: bigint,
): SendStatus {
  const cost: Cost = {
    asset: context.settings.native.asset,
    feeMinor: receipt.gasUsed * receipt.gasPrice,
    opened: [],
  };
  if (payload.kind === 'cancel') return { kind: 'failed', reason: 'cancelled', cost };
  if (!receipt.success) return { kind: 'failed', reason: 'reverted', cost };
  const reading = read(context, payload, receipt.logs);
  if ('odd' in reading) return { kind: 'held', reason: reading.odd };
  const { unpaid } = reading;
  if (unpaid.length === payload.items.length)
    return { kind: 'failed', reason: unpaid[0]?.reason ?? 'it paid nobody', cost };
  const evidence = {
    block: `${receipt.block}`,
    blockHash: receipt.blockHash,
    finalizedBlock: `${finalizedBlock}`,
    gasUsed: `${receipt.gasUsed}`,
  };
  return { kind: 'final', hash: receipt.hash, evidence, unpaid, cost };
}

function read(context: EvmContext, { kind, batch, items }: Payload, logs: readonly Log[]): Reading {
  if (kind === 'sweep') return readSweep(context, items, logs);
  const moved = movedBy(context, logs);
  if (kind === 'transfer') {
    const [item] = items;
    const fits =
      moved.length === 1 && item?.kind === 'payment' && moved[0] === lineOf(item.to, item.amountMinor);
    return fits ? { unpaid: [] } : { odd: 'it succeeded, and its transfer is not what was signed' };
  }
  return readBatch(context, batch!, items, logs, moved);
}

/** What left the treasury, as the token itself tells it. */
function movedBy({ token, treasury }: EvmContext, logs: readonly Log[]): readonly string[] {
  return logs.flatMap((log) => {
    if (log.address !== token || !isTransfer(log)) return [];
    const transfer = readTransfer(log);
    if (typeof transfer === 'string') return ['unreadable'];
    return transfer.from === treasury ? [lineOf(transfer.to, transfer.amountMinor)] : [];
  });
}

function lineOf(to: Hex, amountMinor: bigint): string {
  return `${to} ${amountMinor}`;
}

function readBatch(
  { disperse }: EvmContext,
  batch: Hex,
  items: readonly Item[],
  logs: readonly Log[],
  moved: readonly string[],
): Reading {
  const told = logs.filter(({ address, topics }) => address === disperse && topics[1] === batch);
  const unpaid: Unpaid[] = [];
  const paid: string[] = [];
  for (const [place, item] of items.entries()) {
    const own = told.filter(({ topics }) => topics[2] !== undefined && BigInt(topics[2]) === BigInt(place));
    const [log] = own;
    if (own.length !== 1 || log === undefined || item.kind !== 'payment')
      return { odd: `the batch says nothing clear about place ${place}` };
    const fits = log.data.startsWith(`0x${item.to.slice(2).padStart(64, '0')}`);
    if (!fits) return { odd: `the batch paid somebody else at place ${place}` };
    if (log.topics[0] === PAID) paid.push(lineOf(item.to, item.amountMinor));
    else if (log.topics[0] === UNPAID) unpaid.push({ index: place, reason: 'the token refused it' });
    else return { odd: `the batch says nothing clear about place ${place}` };
  }
  // A token may move and still not say yes: then an order that is told to be unpaid was paid.
  const same = paid.toSorted().join() === moved.toSorted().join();
  return same ? { unpaid } : { odd: 'what the batch says does not fit what the token says' };
}

function readSweep({ factory, token }: EvmContext, items: readonly Item[], logs: readonly Log[]): Reading {
  const told = logs.filter(
    ({ address, topics }) => address === factory && topics[2]?.slice(26) === token.slice(2),
  );
  const unpaid: Unpaid[] = [];
  for (const [place, item] of items.entries()) {
    const own = told.filter(({ topics }) => item.kind === 'sweep' && topics[1] === item.salt);
    if (own.some(({ topics }) => topics[0] === SWEPT)) continue;
    if (!own.some(({ topics }) => topics[0] === NOT_SWEPT))
      return { odd: `the sweep says nothing about place ${place}` };
    unpaid.push({ index: place, reason: 'the token would not come in' });
  }
  return { unpaid };
}
