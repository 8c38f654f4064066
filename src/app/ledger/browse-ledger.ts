// Shows the ledger to people: the balances of each asset with debits, credits and their difference, the postings of an account,
// one entry, and the entries about a record. Every amount comes with the decimals of its asset, so that people need not read
// minor units.
import { CHART_OF_ACCOUNTS, type LedgerAccountName } from '../../domain/ledger/chart-of-accounts.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { formatDecimal, NAIRA } from '../../domain/values/money.ts';
import type { BookAccount, BookEntry, BookPosting, LedgerBook } from '../../ports/ledger.ts';
import type { DescribedNetworks } from '../../ports/networks/network.ts';
import { checkableAssets } from './check-ledger.ts';

export interface BrowseLedgerDeps {
  readonly ledgerBook: LedgerBook;
  readonly networks: DescribedNetworks;
}

/** An asset of the books. Its decimals are null if no configured network has the asset any more. */
export interface BookAsset {
  readonly asset: string;
  readonly decimals: number | null;
}

export interface AssetBalances extends BookAsset {
  readonly accounts: readonly BookAccount[];
  readonly debitMinor: bigint;
  readonly creditMinor: bigint;
  /** The debits minus the credits. If this is not 0, the books are wrong. */
  readonly sumMinor: bigint;
}

export interface AccountPage extends BookAsset {
  readonly account: BookAccount;
  readonly postings: readonly BookPosting[];
  /** The last ledger entry of this page, after which the next page begins. Null if there is no next page. */
  readonly nextEntry: bigint | null;
}

/**
 * The maximum number of ledger entries that are shown for a record. This is more than any transaction has; if a record has
 * more, the newest are omitted.
 */
const MAX_ENTRIES = 500;
const NAIRA_DECIMALS = 2;

export type AssetDecimals = (mode: Mode, asset: string) => number | null;

export function makeAssetDecimals(networks: DescribedNetworks): AssetDecimals {
  const known = checkableAssets(networks);
  return (mode, asset) => (asset === NAIRA ? NAIRA_DECIMALS : (known[mode].get(asset) ?? null));
}

export async function readBalances(deps: BrowseLedgerDeps, mode: Mode): Promise<readonly AssetBalances[]> {
  const decimalsOf = makeAssetDecimals(deps.networks);
  const byAsset = Map.groupBy(await deps.ledgerBook.accounts(mode), ({ asset }) => asset);
  const order = [...byAsset.keys()].sort((a, b) => (a === NAIRA ? -1 : b === NAIRA ? 1 : a < b ? -1 : 1));
  return order.map((asset) => {
    const accounts = [...byAsset.get(asset)!].sort(compareByChart);
    const debitMinor = sumBalances(accounts.filter(({ balanceMinor }) => balanceMinor > 0n));
    const creditMinor = -sumBalances(accounts.filter(({ balanceMinor }) => balanceMinor < 0n));
    const sums = { debitMinor, creditMinor, sumMinor: debitMinor - creditMinor };
    return { asset, decimals: decimalsOf(mode, asset), accounts, ...sums };
  });
}

export async function readLedgerAccount(
  { ledgerBook, networks }: BrowseLedgerDeps,
  asked: {
    readonly mode: Mode;
    readonly accountId: number;
    readonly beforeEntry: bigint | null;
    readonly limit: number;
  },
): Promise<AccountPage | undefined> {
  const account = await ledgerBook.account(asked.mode, asked.accountId);
  if (account === undefined) return undefined;
  const found = await ledgerBook.postings(account.id, asked.beforeEntry, asked.limit + 1);
  const postings = found.slice(0, asked.limit);
  const nextEntry = found.length > asked.limit ? postings.at(-1)!.id : null;
  const decimals = makeAssetDecimals(networks)(account.mode, account.asset);
  return { account, asset: account.asset, decimals, postings, nextEntry };
}

export function readLedgerEntry(
  { ledgerBook }: BrowseLedgerDeps,
  id: bigint,
): Promise<BookEntry | undefined> {
  return ledgerBook.entry(id);
}

export function readEntriesAbout(
  { ledgerBook }: BrowseLedgerDeps,
  recordId: string,
): Promise<readonly BookEntry[]> {
  return ledgerBook.entriesAbout(recordId, MAX_ENTRIES);
}

const CHART_ORDER = Object.keys(CHART_OF_ACCOUNTS);

function compareByChart(a: BookAccount, b: BookAccount): number {
  const [left, right] = [a, b].map(({ name }) => (name === 'bank_reserved' ? 'bank_out' : name));
  const [own, other] = [a, b].map(({ key }) => key.split('/')[3] ?? '');
  const byAccount = own! < other! ? -1 : own! > other! ? 1 : 0;
  return (
    chartIndexOf(left!) - chartIndexOf(right!) || byAccount || chartIndexOf(a.name) - chartIndexOf(b.name)
  );
}

/** The chart of accounts has the order of docs/concepts/ledger.md. */
function chartIndexOf(name: LedgerAccountName): number {
  return CHART_ORDER.indexOf(name);
}

function sumBalances(accounts: readonly BookAccount[]): bigint {
  return accounts.reduce((total, { balanceMinor }) => total + balanceMinor, 0n);
}

// Explains to people why the sends of an asset are halted. The stored reason has amounts in minor units, because its writer may
// not know the decimals. Pages show whole tokens.

const MINOR = /(\d+) minor units/g;

export function describeHalt(
  networks: DescribedNetworks,
  { mode, asset, reason }: { readonly mode: Mode; readonly asset: string; readonly reason: string },
): string {
  const places = makeAssetDecimals(networks)(mode, asset);
  if (places === null) return reason;
  const [code] = asset.split('@');
  return reason.replaceAll(MINOR, (_, minor: string) => `${formatDecimal(BigInt(minor), places)} ${code}`);
}
