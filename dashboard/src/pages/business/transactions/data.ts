// Shared by the pages about transactions: the texts of the states, and the events that report changes.
import { useRef, useState } from 'react';
import { pathTo } from '../../../api/calls.ts';
import type { Transaction } from '../../../api/console-types.ts';
import { useRefresh } from '../../../api/query.ts';
import { useRead } from '../../../api/reads.ts';
import { type LiveEvent, useLive } from '../../../api/use-live.ts';
import type { BusinessLocation } from '../../../layout/location.ts';

export const STATES: readonly Transaction['state'][] = [
  'awaiting_wallet',
  'awaiting_payment',
  'awaiting_deposit',
  'paid',
  'deposited',
  'on_hold',
  'awaiting_trustline',
  'sending',
  'confirming',
  'paying_out',
  'completed',
  'expired',
  'cancelled',
  'rejected',
  'payout_failed',
  'refunded',
];

const EVENTS = [
  'transaction.accepted',
  ...STATES.map((state) => `transaction.${state}`),
  'transaction.updated',
  'transaction.payment_reversed',
  'transaction.payout_returned',
  'refund.completed',
  'webhook_endpoint.disabled',
];

function transactionOf(event: LiveEvent | null): string | null {
  const body = event?.data as { data?: { transaction?: { transaction_id?: string } } } | null | undefined;
  return body?.data?.transaction?.transaction_id ?? null;
}

const PAUSE_MS = 800;

/** Refreshes the page after a change. `onChange` gets the id of each changed transaction immediately. */
export function useLiveTransactions(
  { params }: BusinessLocation,
  paths: readonly string[],
  onChange: (transactionId: string | null) => void = () => undefined,
): boolean {
  const refresh = useRefresh();
  const waiting = useRef<ReturnType<typeof setTimeout> | null>(null);
  return useLive(pathTo('/businesses/{business_id}/stream/{mode}', { params }), EVENTS, (event) => {
    onChange(transactionOf(event));
    waiting.current ??= setTimeout(() => {
      waiting.current = null;
      void refresh(...paths);
    }, PAUSE_MS);
  });
}

const TINT_MS = 2_000;

export function useTinted(): readonly [ReadonlySet<string>, (id: string | null) => void] {
  const [tinted, setTinted] = useState<ReadonlySet<string>>(new Set());
  const tint = (id: string | null) => {
    if (id === null) return;
    setTinted((now) => new Set([...now, id]));
    setTimeout(() => setTinted((now) => new Set([...now].filter((each) => each !== id))), TINT_MS);
  };
  return [tinted, tint];
}

/** The path of the list without filters. A refresh of this path refreshes the list with any filters. */
export function listPath({ params }: BusinessLocation): string {
  return pathTo('/businesses/{business_id}/transactions/{mode}', { params });
}

/** The names of the networks that are enabled in this mode. */
export function useNetworks({ params }: BusinessLocation): readonly string[] {
  const { data } = useRead('/businesses/{business_id}/networks/{mode}', { params });
  return (data?.networks ?? []).filter(({ enabled }) => enabled).map(({ name }) => name);
}
