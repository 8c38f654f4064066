// One transaction, and what stands behind it.
import { pathTo } from '../../../api/calls.ts';
import { useRead } from '../../../api/reads.ts';
import type { BusinessLocation } from '../../../layout/location.ts';

/** Of paths below a transaction. */
export type OfTransaction = BusinessLocation['params'] & { readonly transaction_id: string };

const ONE = '/businesses/{business_id}/transactions/{mode}/{transaction_id}';

/** Everything about a transaction is read below this path. */
export function pathOf(params: OfTransaction): string {
  return pathTo(ONE, { params });
}

export const useTransaction = (params: OfTransaction) => useRead(ONE, { params });
export const useTimeline = (params: OfTransaction) => useRead(`${ONE}/timeline`, { params });
export const useMoney = (params: OfTransaction) => useRead(`${ONE}/money`, { params });
export const useEvents = (params: OfTransaction) => useRead(`${ONE}/events`, { params });
export const useDeliveries = (params: OfTransaction) => useRead(`${ONE}/deliveries`, { params });
