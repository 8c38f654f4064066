// Reads one transaction with its timeline, its money and its events.
import { pathTo } from '../../../api/calls.ts';
import { useRead } from '../../../api/reads.ts';
import type { BusinessLocation } from '../../../layout/location.ts';

export type TransactionParams = BusinessLocation['params'] & { readonly transaction_id: string };

const ONE = '/businesses/{business_id}/transactions/{mode}/{transaction_id}';

/** The path of a transaction. All reads about the transaction are below this path. */
export function pathOf(params: TransactionParams): string {
  return pathTo(ONE, { params });
}

export const useTransaction = (params: TransactionParams) => useRead(ONE, { params });
export const useTimeline = (params: TransactionParams) => useRead(`${ONE}/timeline`, { params });
export const useMoney = (params: TransactionParams) => useRead(`${ONE}/money`, { params });
export const useEvents = (params: TransactionParams) => useRead(`${ONE}/events`, { params });
export const useDeliveries = (params: TransactionParams) => useRead(`${ONE}/deliveries`, { params });
