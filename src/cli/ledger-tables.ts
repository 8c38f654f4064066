// Ledger accounts and entries as tables: naira as ₦15,000.00, tokens in whole units. Each balance is shown on its normal side.
import type { TokenDecimals } from '../app/ledger/judge-ledger.ts';
import { parseLedgerKey } from '../domain/ledger/chart-of-accounts.ts';
import type { Mode } from '../domain/values/mode.ts';
import { formatNaira, NAIRA } from '../domain/values/money.ts';
import type { AccountBalance, AuditedAccount, ExplainedEntry } from '../ports/ledger.ts';
import { decimal, type Json, toJson } from './terminal/json.ts';

export function accountRows(
  accounts: readonly (AccountBalance & Partial<Pick<AuditedAccount, 'postedMinor'>>)[],
  decimals: TokenDecimals,
): string[][] {
  const counted = accounts.some(({ postedMinor }) => postedMinor !== undefined);
  const rows = accounts.map(({ key, mode, asset, side, balanceMinor, postedMinor = balanceMinor }) => {
    const text = (debitMinor: bigint) =>
      amountText(side === 'debit' ? debitMinor : -debitMinor, mode, asset, decimals);
    const [, , ...name] = key.split('/');
    const drift = balanceMinor === postedMinor ? '-' : text(balanceMinor - postedMinor);
    return [
      mode,
      asset,
      name.join('/'),
      side,
      text(balanceMinor),
      ...(counted ? [text(postedMinor), drift] : []),
    ];
  });
  const head = ['MODE', 'ASSET', 'ACCOUNT', 'SIDE', 'BALANCE', ...(counted ? ['POSTINGS', 'DRIFT'] : [])];
  return [head, ...rows];
}

export function entryRows(entries: readonly ExplainedEntry[], decimals: TokenDecimals): string[][] {
  const rows = entries.flatMap(({ id, event, subjectId, atMs, postings }) =>
    postings.map(({ account, amountMinor }, index) => {
      const { mode, asset } = parseLedgerKey(account);
      const debit = amountMinor > 0n;
      const amount = amountText(debit ? amountMinor : -amountMinor, mode, asset, decimals);
      const about =
        index === 0 ? [String(id), new Date(atMs).toISOString(), event, subjectId] : ['', '', '', ''];
      return [...about, account, debit ? amount : '', debit ? '' : amount];
    }),
  );
  return [['ENTRY', 'AT', 'EVENT', 'ABOUT', 'ACCOUNT', 'DEBIT', 'CREDIT'], ...rows];
}

/** The accounts as JSON. Each balance is on its normal side, as in the table. */
export function accountJson(
  accounts: readonly (AccountBalance & Partial<Pick<AuditedAccount, 'postedMinor'>>)[],
  decimals: TokenDecimals,
): Json[] {
  return accounts.map(({ key, mode, asset, side, balanceMinor, postedMinor }) => {
    const own = (minor: bigint) => (side === 'debit' ? minor : -minor);
    const [, , ...name] = key.split('/');
    const amounts = {
      balanceMinor: own(balanceMinor),
      ...(postedMinor !== undefined && { postedMinor: own(postedMinor) }),
    };
    return toJson({ mode, asset, account: name.join('/'), side, ...amounts }, decimals);
  });
}

export function amountText(amountMinor: bigint, mode: Mode, asset: string, decimals: TokenDecimals): string {
  if (asset === NAIRA) return formatNaira(amountMinor);
  const [code] = asset.split('@');
  const places = decimals[mode].get(asset);
  if (places === undefined) return `${amountMinor} minor units`;
  return `${decimalText(amountMinor, places)} ${code}`;
}

export function decimalText(amountMinor: bigint, places: number): string {
  const [whole, fraction] = decimal(amountMinor, places).split('.');
  const grouped = whole!.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

// The page size of a list. A script needs the whole list, so all pages are read.
const PAGE = 200;

/** Reads all pages of a list and returns their rows. `read` returns at most `limit` rows after the row with the id `after`. */
export async function readEveryRow<Each extends { readonly id: string }>(
  read: (page: { readonly after: string | null; readonly limit: number }) => Promise<readonly Each[]>,
): Promise<readonly Each[]> {
  const rows: Each[] = [];
  for (;;) {
    const page = await read({ after: rows.at(-1)?.id ?? null, limit: PAGE });
    rows.push(...page);
    if (page.length < PAGE) return rows;
  }
}
