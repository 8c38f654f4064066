// One transaction, and what stands behind it.
import { useRead } from '../../../api/query.ts';
import type { BusinessPlace } from '../../../frame/place.ts';
import type { Transaction } from '../transactions/transaction.ts';

export interface TimelineLine {
  readonly from: string | null;
  readonly to: string;
  readonly actor: string;
  readonly reason: string;
  readonly message: string;
  readonly evidence: Readonly<Record<string, unknown>> | null;
  readonly at: string;
}

export interface Posting {
  readonly account: string;
  readonly side: 'debit' | 'credit';
  readonly amount: string;
  readonly asset: string;
  readonly network: string | null;
}

export interface Entry {
  readonly event: string;
  readonly message: string;
  readonly at: string;
  readonly postings: readonly Posting[];
}

export interface MoneyAnswer {
  readonly money: {
    readonly amount: string;
    readonly fee: string;
    readonly net_amount: string;
    readonly received_amount: string;
    readonly missing_amount: string;
    readonly refunded_amount: string;
    readonly bank_charges: string;
  };
  readonly entries: readonly Entry[];
}

export interface EventLine {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly sequence: number;
}

export interface Delivery {
  readonly id: string;
  readonly event_type: string;
  readonly state: string;
  readonly attempts_made: number;
  readonly url: string;
  readonly updated_at: string;
}

/** Everything about a transaction is read below this path. */
export function pathOf({ api, mode }: BusinessPlace, transactionId: string): string {
  return `${api}/transactions/${mode}/${encodeURIComponent(transactionId)}`;
}

export function useTransaction(path: string) {
  return useRead<{ transaction: Transaction }>(path);
}

export function useTimeline(path: string) {
  return useRead<{ timeline: readonly TimelineLine[] }>(`${path}/timeline`);
}

export function useMoney(path: string) {
  return useRead<MoneyAnswer>(`${path}/money`);
}

export function useEvents(path: string) {
  return useRead<{ events: readonly EventLine[] }>(`${path}/events`);
}

export function useDeliveries(path: string) {
  return useRead<{ deliveries: readonly Delivery[] }>(`${path}/deliveries`);
}
