// Converts the filters of the transaction list between the URL of the page and the session API. Days are in Lagos time.
import type { ExportBusinessTransactionsQuery } from '../../../api/console-types.ts';

/** Filters that have the same name in the session API. */
const SAME = [
  'search',
  'state',
  'type',
  'network',
  'amount',
] as const satisfies readonly (keyof ExportBusinessTransactionsQuery)[];

export function apiQuery(filters: Readonly<Record<string, string>>): ExportBusinessTransactionsQuery {
  const same = SAME.flatMap((name) => (filters[name] ? [[name, filters[name].trim()]] : []));
  return {
    ...Object.fromEntries(same),
    ...(isDay(filters.from) && { created_from: `${filters.from}T00:00:00+01:00` }),
    ...(isDay(filters.to) && { created_to: `${filters.to}T23:59:59.999+01:00` }),
  };
}

function isDay(text: string | undefined): text is string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text ?? '');
}

export function activeFilters(filters: Readonly<Record<string, string>>): number {
  return ['state', 'type', 'network', 'amount', 'from', 'to'].filter((name) => filters[name]).length;
}
