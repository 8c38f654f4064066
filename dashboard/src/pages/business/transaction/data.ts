// Reads of one transaction.
import { pathTo } from '../../../api/calls.ts';
import { useRead } from '../../../api/reads.ts';
import type { BusinessLocation } from '../../../layout/location.ts';

/** The path parameters of requests about a transaction. */
export type TransactionParams = BusinessLocation['params'] & { readonly transaction_id: string };

const ONE = '/businesses/{business_id}/transactions/{mode}/{transaction_id}';

/** Everything about a transaction is read below this path. */
export function pathOf(params: TransactionParams): string {
  return pathTo(ONE, { params });
}

export const useTransaction = (params: TransactionParams) => useRead(ONE, { params });
export const useTimeline = (params: TransactionParams) => useRead(`${ONE}/timeline`, { params });
export const useMoney = (params: TransactionParams) => useRead(`${ONE}/money`, { params });
export const useEvents = (params: TransactionParams) => useRead(`${ONE}/events`, { params });
export const useDeliveries = (params: TransactionParams) => useRead(`${ONE}/deliveries`, { params });
