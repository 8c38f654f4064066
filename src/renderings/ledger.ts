// Renders ledger accounts with their balances, and ledger entries with their postings. Amounts are texts in whole units, with
// all decimals of the asset.
import { type TObject, Type } from 'typebox';
import { type AssetBalances, makeAssetDecimals } from '../app/ledger/browse-ledger.ts';
import { CHART_OF_ACCOUNTS } from '../domain/ledger/chart-of-accounts.ts';
import type { Mode } from '../domain/values/mode.ts';
import { formatDecimal } from '../domain/values/money.ts';
import type { BookAccount, BookEntry, EntryHead } from '../ports/ledger.ts';
import type { DescribedNetworks } from '../ports/networks/network.ts';
import * as schemas from './parts/schemas.ts';
import { isoTime } from './parts/values.ts';

const amount = Type.String({ description: 'In whole units, for example "15000.00".' });
export const decimals = schemas.nullable(
  Type.Integer({
    description: 'Null: the asset belongs to no configured network, and amounts are in minor units.',
  }),
);
const side = schemas.oneOf(['debit', 'credit']);
const account = {
  account_id: Type.String(),
  key: Type.String(),
  name: Type.String(),
  detail: schemas.nullable(
    Type.String({ description: 'The bank account, for bank_in, bank_out and bank_reserved.' }),
  ),
  meaning: Type.String(),
  asset: Type.String(),
  side,
};
const ledgerAccount = schemas.nameSchema('LedgerAccount', Type.Object(account));
export const accountBalance = schemas.nameSchema(
  'AccountBalance',
  Type.Object({
    ...account,
    balance: Type.String({
      description: 'On the normal side of the account: never below zero while the books are correct.',
    }),
  }),
);
const entryHeadFields = {
  entry_id: Type.String(),
  mode: schemas.mode,
  event: Type.String(),
  record_id: Type.String(),
  transaction_id: schemas.nullable(Type.String()),
  at: schemas.time,
};
const postedFields = { side, amount };
export const accountPosting = schemas.nameSchema(
  'AccountPosting',
  Type.Object({ ...entryHeadFields, ...postedFields }),
);
const entryPosting = schemas.nameSchema(
  'EntryPosting',
  Type.Object({ account: ledgerAccount, decimals, ...postedFields }),
);
export const entryShape = schemas.nameSchema(
  'LedgerEntry',
  Type.Object({ ...entryHeadFields, postings: Type.Array(entryPosting) }),
);
export const assetBalances = schemas.nameSchema(
  'AssetBalances',
  Type.Object({
    ...{ mode: schemas.mode, asset: Type.String(), decimals, debits: amount, credits: amount, sum: amount },
    accounts: Type.Array(accountBalance),
  }),
);

/** If the number of decimals is unknown, the amount stays in minor units. */
function amountText(amountMinor: bigint, places: number | null): string {
  return formatDecimal(amountMinor, places ?? 0);
}

export function renderAsset(
  mode: Mode,
  { asset, decimals: places, accounts, debitMinor, creditMinor, sumMinor }: AssetBalances,
): schemas.JsonOf<typeof assetBalances> {
  return {
    mode,
    asset,
    decimals: places,
    debits: amountText(debitMinor, places),
    credits: amountText(creditMinor, places),
    sum: amountText(sumMinor, places),
    accounts: accounts.map((each) => renderBalance(each, places)),
  };
}

function renderAccount({
  id,
  key,
  name,
  asset,
  side: own,
}: Omit<BookAccount, 'balanceMinor'>): schemas.JsonOf<typeof ledgerAccount> {
  const [, , , detail = null] = key.split('/');
  return {
    account_id: String(id),
    key,
    name,
    detail,
    meaning: CHART_OF_ACCOUNTS[name].meaning,
    asset,
    side: own,
  };
}

export function renderBalance(
  book: BookAccount,
  places: number | null,
): schemas.JsonOf<typeof accountBalance> {
  const { side: own, balanceMinor } = book;
  const ownMinor = own === 'debit' ? balanceMinor : -balanceMinor;
  return { ...renderAccount(book), balance: amountText(ownMinor, places) };
}

function renderHead({ id, mode, event, subjectId, transactionId, atMs }: EntryHead) {
  return {
    ...{ entry_id: String(id), mode, event, record_id: subjectId, transaction_id: transactionId },
    at: isoTime(atMs),
  };
}

function renderPostedAmount(
  amountMinor: bigint,
  places: number | null,
): schemas.JsonOf<TObject<typeof postedFields>> {
  const debit = amountMinor > 0n;
  return { side: debit ? 'debit' : 'credit', amount: amountText(debit ? amountMinor : -amountMinor, places) };
}

export function renderPosting(
  posting: EntryHead & { readonly amountMinor: bigint },
  places: number | null,
): schemas.JsonOf<typeof accountPosting> {
  return { ...renderHead(posting), ...renderPostedAmount(posting.amountMinor, places) };
}

export function renderEntry(book: BookEntry, networks: DescribedNetworks): schemas.JsonOf<typeof entryShape> {
  const decimalsOf = makeAssetDecimals(networks);
  return {
    ...renderHead(book),
    postings: book.postings.map(({ account: of, amountMinor }) => {
      const places = decimalsOf(of.mode, of.asset);
      return { account: renderAccount(of), decimals: places, ...renderPostedAmount(amountMinor, places) };
    }),
  };
}
