// Searches the transactions of a business for people. The search has the filters of the API and also a network, an exact amount
// and one search text. The text may be an id, a reference, an account number, a wallet, a hash or an amount.
import { lagosDayAndTime } from '../../domain/values/calendar.ts';
import { csvLine } from '../../domain/values/csv.ts';
import { parseAmount } from '../../domain/values/money.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { SearchFilter, TransactionSearch, TransactionSearchTerms } from '../../ports/activity.ts';
import type { DescribedNetworks } from '../../ports/networks/network.ts';
import type { Store } from '../../ports/store/store.ts';
import { type BusinessReader, scopeOf } from '../input/caller.ts';
import { FieldErrors } from '../input/field-rules.ts';
import type { ListQuery } from '../input/list-query.ts';
import {
  encodeCursor,
  listTransactions,
  parseTransactionFilter,
  type TransactionPage,
} from '../intake/read-transactions.ts';
import { SANDBOX_AMOUNT_BOUNDS } from '../sandbox/drive-sandbox.ts';

export interface FindTransactionsDeps {
  readonly store: Store;
  readonly search: TransactionSearch;
  readonly networks: DescribedNetworks;
}

const MAX_SEARCH = 200;

/**
 * If a page is shorter than the limit but has a next cursor, the search has read its maximum number of rows. The next page
 * continues from there.
 */
export async function findTransactions(
  deps: FindTransactionsDeps,
  reader: BusinessReader,
  query: ListQuery,
): Promise<Result<TransactionPage, Refusal>> {
  const filter = parseTransactionFilter(query);
  if (!filter.ok) return filter;
  const more = parseExtraFilters(deps.networks, reader, query);
  if (!more.ok) return more;
  if (Object.keys(more.value).length === 0) return listTransactions(deps.store, reader, query);
  const { limit } = filter.value;
  const asked: SearchFilter = { ...filter.value, ...more.value, limit: limit + 1 };
  const { transactions: found, stoppedAt } = await deps.search.find(scopeOf(reader), asked);
  const transactions = found.slice(0, limit);
  const last = found.length > limit ? transactions.at(-1)!.id : stoppedAt;
  return ok({ transactions, nextCursor: last === null ? null : encodeCursor(last) });
}

type ExtraFilters = Pick<SearchFilter, 'network' | 'amountMinor' | 'terms'>;

function parseExtraFilters(
  networks: DescribedNetworks,
  { key }: BusinessReader,
  query: ListQuery,
): Result<ExtraFilters, Refusal> {
  const errors = new FieldErrors();
  const text = (name: string): string | undefined => {
    const value = query[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string' && value.length <= MAX_SEARCH && isStorable(value)) return value.trim();
    const message = `${name} must appear once and have at most ${MAX_SEARCH} characters.`;
    return errors.add(name, 'filter_invalid', message);
  };
  const network = parseNetwork(errors, networks, text('network'));
  const amountMinor = parseExactAmount(errors, text('amount'));
  const searched = text('search');
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  return ok({
    ...(network !== undefined && { network }),
    ...(amountMinor !== undefined && { amountMinor }),
    ...(searched !== undefined &&
      searched !== '' && { terms: buildSearchTerms(networks, key.mode, searched) }),
  });
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function parseNetwork(
  errors: FieldErrors,
  networks: DescribedNetworks,
  text: string | undefined,
): string | undefined {
  if (text === undefined) return undefined;
  const message = `network must be one of ${networks.names.join(', ')}.`;
  return networks.spell(text) ?? errors.add('network', 'filter_invalid', message);
}

function parseExactAmount(errors: FieldErrors, text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const message = 'amount must be a naira amount such as 15000 or 15,000.50.';
  return parseNairaAmount(text) ?? errors.add('amount', 'filter_invalid', message);
}

/** Parses an amount in naira as people write it, for example `₦15,000.00` or `15000`. */
function parseNairaAmount(text: string): bigint | undefined {
  const plain = text.replace(/^(₦|NGN)\s*/i, '').replaceAll(',', '');
  const parsed = parseAmount(plain, SANDBOX_AMOUNT_BOUNDS);
  return parsed.ok ? parsed.value : undefined;
}

function buildSearchTerms(
  networks: DescribedNetworks,
  mode: BusinessReader['key']['mode'],
  text: string,
): TransactionSearchTerms {
  const enabled = networks.enabled(mode);
  const checked = enabled.map((network) => network.checkAddress(text));
  return {
    text,
    wallets: [...new Set([text, ...checked.flatMap((each) => (each.ok ? [each.address] : []))])],
    hashes: [...new Set([text, text.toLowerCase()])],
    networks: networks.names,
    amountMinor: parseNairaAmount(text) ?? null,
  };
}

// The columns of transactions in a CSV file. The exports of the console and of the command line use the same columns, and every
// cell is safe in a spreadsheet (threat 79).
const CSV_COLUMNS = [
  ...['transaction_id', 'type', 'reference', 'amount', 'fee', 'net_amount', 'refunded_amount', 'state'],
  ...['state_reason', 'exception', 'account_number', 'account_name', 'bank_name', 'link_account_number'],
  ...['network', 'wallet_address', 'tx_hash', 'mode', 'created_at', 'updated_at', 'expires_at'],
] as const;

/** The times of the API are in UTC; people in Nigeria compare the file with bank statements. */
const LAGOS_COLUMNS = ['created_at', 'updated_at', 'expires_at'] as const;

export const TRANSACTION_CSV_HEAD = csvLine([
  ...CSV_COLUMNS,
  ...LAGOS_COLUMNS.map((name) => `${name}_lagos`),
]);

/** `transaction` must have the form that the API returns. */
export function transactionCsvRow(transaction: object): string {
  const fields = transaction as Readonly<Record<string, string | number | null | undefined>>;
  return csvLine([
    ...CSV_COLUMNS.map((name) => fields[name]),
    ...LAGOS_COLUMNS.map((name) => {
      const time = fields[name];
      return typeof time === 'string' ? lagosDayAndTime(Date.parse(time)) : null;
    }),
  ]);
}
