// Decides which payments share a transaction: as many as possible, except payments that need a separate transaction. Sweeps are
// separate from payments. Payments are taken in the given order, as long as the treasury has enough tokens. If a payment cannot
// be made, all later payments wait too. Otherwise a large payment would never be made.
import type { Hex } from 'viem';
import type { Payment, SigningResult } from '../../../../ports/networks/network-payer.ts';
import {
  forwarderAddress,
  hashBatchId,
  lowerHex,
  payCall,
  saltOf,
  sweepCall,
  transferCall,
} from '../rpc/contracts.ts';
import { type GroupKind, mostItemsPerTransaction } from './gas.ts';
import type { PayloadItem } from './payload.ts';

export interface PaymentGroup {
  readonly kind: GroupKind;
  readonly payments: readonly Payment[];
  readonly items: readonly PayloadItem[];
  readonly to: Hex;
  readonly data: Hex;
  readonly batch: Hex | null;
}

export type WaitingPayment = SigningResult['waiting'][number];

export interface PlanContext {
  readonly token: Hex;
  readonly factory: Hex;
  readonly disperse: Hex | null;
  readonly batch: number;
  readonly blockGasLimit: bigint;
  readonly freeMinor: bigint;
  /** The amount that the treasury allows the batch contract to spend. */
  readonly allowedMinor: bigint;
}

export function planGroups(
  payments: readonly Payment[],
  means: PlanContext,
): {
  readonly groups: readonly PaymentGroup[];
  readonly waiting: readonly WaitingPayment[];
  readonly allowanceLow: boolean;
} {
  const all = payments.filter(({ from }) => from !== null);
  const isOwn = ({ from, to }: Payment) => forwarderAddress(means.factory, from!) === to;
  const sweeps = all.filter(isOwn);
  // A different factory would check a different address, find it empty and report the sweep as done.
  const strange = all
    .filter((each) => !isOwn(each))
    .map(({ orderId, to }): WaitingPayment => {
      const detail = `the deposit address ${to} was not made by this factory`;
      return { orderId, obstacle: 'signing_refused', detail };
    });
  const { payable, waiting } = splitAffordable(
    payments.filter(({ from }) => from === null),
    means.freeMinor,
  );
  const shared = payable.filter(({ alone }) => !alone);
  const total = shared.reduce((all, { amountMinor }) => all + amountMinor, 0n);
  const wanted = means.disperse !== null && shared.length > 1 && means.batch > 1;
  const allowanceLow = wanted && means.allowedMinor < total;
  const perGroup = wanted && !allowanceLow ? mostPerGroup('disperse', means) : 1;
  const groups = [
    ...groupPayments(payable, perGroup).map((each) => makePayGroup(each, means)),
    ...groupPayments(sweeps, mostPerGroup('sweep', means)).map((each) => makeSweepGroup(each, means)),
  ];
  return { groups, waiting: [...waiting, ...strange], allowanceLow };
}

export function planSinglePayment(
  payment: Payment,
  means: Pick<PlanContext, 'token' | 'factory' | 'disperse'>,
): PaymentGroup {
  return payment.from === null ? makePayGroup([payment], means) : makeSweepGroup([payment], means);
}

function splitAffordable(payments: readonly Payment[], freeMinor: bigint) {
  let left = freeMinor;
  let enough = true;
  const payable: Payment[] = [];
  const waiting: WaitingPayment[] = [];
  for (const payment of payments) {
    enough &&= payment.amountMinor <= left;
    if (enough) {
      left -= payment.amountMinor;
      payable.push(payment);
    } else {
      const detail = `the treasury has only ${left} left that is not yet reserved`;
      waiting.push({ orderId: payment.orderId, obstacle: 'treasury_low', detail });
    }
  }
  return { payable, waiting };
}

function mostPerGroup(kind: GroupKind, { batch, blockGasLimit }: PlanContext): number {
  return Math.max(1, Math.min(batch, mostItemsPerTransaction(kind, blockGasLimit)));
}

function groupPayments(payments: readonly Payment[], size: number): readonly (readonly Payment[])[] {
  const groups: Payment[][] = [];
  let open: Payment[] | undefined;
  for (const payment of payments) {
    if (payment.alone) {
      groups.push([payment]);
    } else if (open !== undefined && open.length < size) {
      open.push(payment);
    } else {
      open = [payment];
      groups.push(open);
    }
  }
  return groups;
}

function makePayGroup(
  payments: readonly Payment[],
  { token, disperse }: Pick<PlanContext, 'token' | 'disperse'>,
): PaymentGroup {
  const items = payments.map(({ to, amountMinor }) => ({
    kind: 'payment' as const,
    to: lowerHex(to as Hex),
    amountMinor,
  }));
  const [only] = items;
  if (items.length === 1) {
    const data = transferCall(only!.to, only!.amountMinor);
    return { kind: 'transfer', payments, items, to: token, data, batch: null };
  }
  const batch = hashBatchId(payments.map(({ orderId }) => orderId));
  const data = payCall(
    token,
    batch,
    items.map(({ to }) => to),
    items.map(({ amountMinor }) => amountMinor),
  );
  return { kind: 'disperse', payments, items, to: disperse!, data, batch };
}

function makeSweepGroup(
  payments: readonly Payment[],
  { token, factory }: Pick<PlanContext, 'token' | 'factory'>,
): PaymentGroup {
  const items = payments.map(({ from, amountMinor }) => ({
    kind: 'sweep' as const,
    salt: saltOf(from!),
    amountMinor,
  }));
  const data = sweepCall(
    token,
    items.map(({ salt }) => salt),
  );
  return { kind: 'sweep', payments, items, to: factory, data, batch: null };
}
