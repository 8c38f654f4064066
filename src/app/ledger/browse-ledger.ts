// The ledger for people: the balances of each asset with its two sides and their difference, the postings of an account, an
// entry, and the entries about a record. Every amount comes with the decimals of its asset, so that people do not have to read
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

/** An asset of the books; decimals are null when no configured network has it any more. */
export interface BookAsset {
  readonly asset: string;
  readonly decimals: number | null;
}

export interface AssetBalances extends BookAsset {
  readonly accounts: readonly BookAccount[];
  readonly debitMinor: bigint;
  readonly creditMinor: bigint;
  /** Debits minus credits; if this is not 0, the books are wrong. */
  readonly sumMinor: bigint;
}

export interface AccountPage extends BookAsset {
  readonly account: BookAccount;
  readonly postings: readonly BookPosting[];
  /** The last entry of this page, after which the next page begins; null if there is no next page. */
  readonly nextEntry: bigint | null;
}

/** The maximum number of entries shown, more than any transaction has. For a record with more entries the newest are left out. */
const MAX_ENTRIES = 500;
const NAIRA_DECIMALS = 2;

export type AssetDecimals = (mode: Mode, asset: string) => number | null;

export function makeAssetDecimals(networks: DescribedNetworks): AssetDecimals {
  const known = checkableAssets(networks);
  return (mode, asset) => (asset === NAIRA ? NAIRA_DECIMALS : (known[mode].get(asset) ?? null));
}

/** Naira first, then tokens by name. */
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
  // Reads one entry more than requested, to know whether there is a next page.
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

/** The free and the reserved naira of a bank account are listed together. */
function compareByChart(a: BookAccount, b: BookAccount): number {
  const [left, right] = [a, b].map(({ name }) => (name === 'bank_reserved' ? 'bank_out' : name));
  const [own, other] = [a, b].map(({ key }) => key.split('/')[3] ?? '');
  const byAccount = own! < other! ? -1 : own! > other! ? 1 : 0;
  return (
    chartIndexOf(left!) - chartIndexOf(right!) || byAccount || chartIndexOf(a.name) - chartIndexOf(b.name)
  );
}

/** In the order of docs/concepts/ledger.md. */
function chartIndexOf(name: LedgerAccountName): number {
  return CHART_ORDER.indexOf(name);
}

function sumBalances(accounts: readonly BookAccount[]): bigint {
  return accounts.reduce((total, { balanceMinor }) => total + balanceMinor, 0n);
}

// Why sends of an asset are halted, as people read it. The stored reason has amounts in minor units, because its writer may not
// know the decimals; pages show whole tokens.

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
