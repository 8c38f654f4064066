// The filters of the list, as the address of the page has them and as the session API takes them. Days are days in Lagos.

/** Filters of the page that the session API takes under the same name. */
const SAME = ['search', 'state', 'type', 'network', 'amount'] as const;

/** Lagos is one hour ahead of UTC all year. */
export function apiQuery(filters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  for (const name of SAME) if (filters[name]) query.set(name, filters[name].trim());
  if (isDay(filters.from)) query.set('created_from', `${filters.from}T00:00:00+01:00`);
  if (isDay(filters.to)) query.set('created_to', `${filters.to}T23:59:59.999+01:00`);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

function isDay(text: string | undefined): text is string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text ?? '');
}

/** How many filters beside the search are set. */
export function activeFilters(filters: Readonly<Record<string, string>>): number {
  return ['state', 'type', 'network', 'amount', 'from', 'to'].filter((name) => filters[name]).length;
}
