// Searches records: an operator in all businesses, and a member in their own business. The service reads the typed text as an
// id, a reference, a number, a hash, a name or an amount.
import type { BankCredit } from '../../domain/records/credit.ts';
import type { Deposit } from '../../domain/records/deposit.ts';
import type { Movement } from '../../domain/records/movement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { MAX_WIRE_MINOR, parseAmount } from '../../domain/values/money.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { DescribedNetworks } from '../../ports/networks/network.ts';
import type {
  NamedRecord,
  RecordSearch,
  RecordSearchTerms,
  SearchResult,
} from '../../ports/operations/record-search.ts';

const SEARCH_LENGTH = { min: 2, max: 100 } as const;
const MAX_PER_KIND = 10;

export interface SearchRecordsDeps {
  readonly operations: RecordSearch;
  readonly networks: DescribedNetworks;
}

export interface FoundRecords {
  readonly transactions: SearchResult<Transaction>;
  readonly credits: SearchResult<BankCredit>;
  readonly deposits: readonly Deposit[];
  readonly movements: readonly Movement[];
  readonly businesses: readonly NamedRecord[];
  readonly vendors: readonly NamedRecord[];
  /** The list is empty for a reader who may not see people. */
  readonly people: readonly NamedRecord[];
}

export interface SearchRefusal {
  readonly code: 'filter_invalid';
  readonly message: string;
}

export async function searchRecords(
  deps: SearchRecordsDeps,
  asked: { readonly mode: Mode; readonly text: string; readonly withPeople: boolean },
): Promise<Result<FoundRecords, SearchRefusal>> {
  const { operations } = deps;
  const terms = parseSearchTerms(deps, asked.text);
  if (!terms.ok) return terms;
  const { mode } = asked;
  const [transactions, credits, deposits, movements, businesses, vendors, people] = await Promise.all([
    operations.searchTransactions({ mode, businessId: null }, terms.value),
    operations.searchCredits(mode, terms.value),
    operations.searchDeposits(mode, terms.value),
    operations.searchMovements(mode, terms.value),
    operations.searchBusinesses(terms.value),
    operations.searchVendors(mode, terms.value),
    asked.withPeople ? operations.searchPeople(terms.value) : [],
  ]);
  return ok({ transactions, credits, deposits, movements, businesses, vendors, people });
}

export async function searchBusinessTransactions(
  deps: SearchRecordsDeps,
  asked: { readonly mode: Mode; readonly businessId: string; readonly text: string },
): Promise<Result<SearchResult<Transaction>, SearchRefusal>> {
  const terms = parseSearchTerms(deps, asked.text);
  if (!terms.ok) return terms;
  const { mode, businessId } = asked;
  return ok(await deps.operations.searchTransactions({ mode, businessId }, terms.value));
}

function parseSearchTerms(
  { networks }: SearchRecordsDeps,
  typed: string,
): Result<RecordSearchTerms, SearchRefusal> {
  const text = typed.trim();
  const { min, max } = SEARCH_LENGTH;
  if (text.length < min || text.length > max || text.includes('\0'))
    return fail({ code: 'filter_invalid', message: `q must have ${min} to ${max} characters.` });
  return ok({ text, amountMinor: parseNairaAmount(text), networks: networks.names, limit: MAX_PER_KIND });
}

/** `15000`, `15,000.00` and `₦15,000` are amounts. A text of ten digits may also be an account number. */
function parseNairaAmount(text: string): bigint | null {
  const plain = text.replace(/^(₦|NGN)\s*/i, '').replaceAll(',', '');
  const parsed = parseAmount(plain, { minMinor: 1n, maxMinor: MAX_WIRE_MINOR });
  return parsed.ok ? parsed.value : null;
}
