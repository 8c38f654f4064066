// The ledger as the operator browses it: from a balance to the postings behind it, to an entry, to its transaction, and back.
// Amounts are texts in whole units with all decimals of their asset.
import { type TObject, Type } from 'typebox';
import {
  type AssetBalances,
  assetDecimals,
  readAccount,
  readBalances,
  readEntriesAbout,
  readEntry,
} from '../../../../app/ledger/browse-ledger.ts';
import { CHART } from '../../../../domain/ledger/ledger.ts';
import { decimal } from '../../../../domain/values/decimal.ts';
import { isMode } from '../../../../domain/values/mode.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import type { BookAccount, BookEntry, EntryHead } from '../../../../ports/ledger/ledger-book.ts';
import type { Networks } from '../../../../ports/network/network.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { isoTime } from '../../render.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import * as schemas from '../../schemas.ts';
import { numberIn, pageFields, pageOf } from '../operator/page-query.ts';

const GET = { method: 'GET', tag: 'Ledger' } as const;

const amount = Type.String({ description: 'In whole units, for example "15000.00".' });
const decimals = schemas.nullable(
  Type.Integer({ description: 'Null: the asset is of no configured network, and amounts are minor units.' }),
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
const ledgerAccount = schemas.named('LedgerAccount', Type.Object(account));
const withBalance = schemas.named(
  'AccountBalance',
  Type.Object({
    ...account,
    balance: Type.String({ description: 'On its own side: never below zero while the books are right.' }),
  }),
);
const head = {
  entry_id: Type.String(),
  mode: schemas.mode,
  event: Type.String(),
  record_id: Type.String(),
  transaction_id: schemas.nullable(Type.String()),
  at: schemas.time,
};
const posted = { side, amount };
const accountPosting = schemas.named('AccountPosting', Type.Object({ ...head, ...posted }));
const entryPosting = schemas.named(
  'EntryPosting',
  Type.Object({ account: ledgerAccount, decimals, ...posted }),
);
export const entry = schemas.named(
  'LedgerEntry',
  Type.Object({ ...head, postings: Type.Array(entryPosting) }),
);
const assetBalances = schemas.named(
  'AssetBalances',
  Type.Object({
    ...{ asset: Type.String(), decimals, debits: amount, credits: amount, sum: amount },
    accounts: Type.Array(withBalance),
  }),
);

const accountRoutes = [
  operatorRoute(
    'operations.read',
    'nothing',
    {
      ...GET,
      path: '/ledger/:mode',
      name: 'listBalances',
      summary:
        'Read the balance of every account in one mode, by asset; the balances of an asset add up to zero',
      answer: {
        as_of: schemas.time,
        assets: Type.Array(assetBalances),
      },
      refusals: ['not_found'],
    },
    async ({ params: { mode = '' } }, deps) => {
      if (!isMode(mode)) return fail(NO_SUCH_RECORD);
      const assets = await readBalances(deps, mode);
      return ok({ as_of: isoTime(deps.clock.now()), assets: assets.map(renderAsset) });
    },
  ),
  operatorRoute(
    'operations.read',
    'several',
    {
      ...GET,
      path: '/ledger/:mode/accounts/:account_id',
      name: 'getLedgerAccount',
      summary: 'Read an account with its postings, the highest entry number first',
      query: Type.Object(pageFields),
      answer: {
        account: withBalance,
        decimals,
        postings: Type.Array(accountPosting),
        next_cursor: schemas.nullable(Type.String()),
      },
      refusals: ['not_found', 'filter_invalid', 'cursor_invalid'],
    },
    async ({ params, query }, deps) => {
      const { mode = '' } = params;
      const accountId = numberIn(params.account_id);
      const page = pageOf(query);
      if (!page.ok) return page;
      if (!isMode(mode) || accountId === undefined || accountId > MAX_ACCOUNT) return fail(NO_SUCH_RECORD);
      const { before: beforeEntry, limit } = page.value;
      const found = await readAccount(deps, { mode, accountId: Number(accountId), beforeEntry, limit });
      if (found === undefined) return fail(NO_SUCH_RECORD);
      return ok({
        account: renderBalance(found.account, found.decimals),
        decimals: found.decimals,
        postings: found.postings.map((each) => ({
          ...renderHead(each),
          ...renderPosted(each.amountMinor, found.decimals),
        })),
        next_cursor: found.nextEntry === null ? null : String(found.nextEntry),
      });
    },
  ),
];

/** Account numbers are integers of the database. */
const MAX_ACCOUNT = 2_147_483_647n;

const entryRoutes = [
  operatorRoute(
    'operations.read',
    'record',
    {
      ...GET,
      path: '/ledger/entries/:record_id',
      name: 'getLedgerEntry',
      summary: 'Read a ledger entry with all of its postings',
      answer: { entry },
      refusals: ['not_found'],
    },
    async ({ params }, deps) => {
      const id = numberIn(params.record_id);
      const found = id === undefined ? undefined : await readEntry(deps, id);
      return found === undefined ? fail(NO_SUCH_RECORD) : ok({ entry: renderEntry(found, deps.networks) });
    },
  ),
  operatorRoute(
    'operations.read',
    'record',
    {
      ...GET,
      path: '/ledger/records/:record_id',
      name: 'listLedgerEntries',
      summary:
        'List the ledger entries about a transaction, credit, deposit or movement and what belongs to it',
      answer: { entries: Type.Array(entry) },
    },
    async ({ params }, deps) => {
      const found = await readEntriesAbout(deps, params.record_id!);
      return ok({ entries: found.map((each) => renderEntry(each, deps.networks)) });
    },
  ),
];

export const ledgerRoutes: readonly ConsoleRoute[] = [...accountRoutes, ...entryRoutes];

/** Where the decimals are not known, the amount stays in minor units. */
function amountText(amountMinor: bigint, places: number | null): string {
  return decimal(amountMinor, places ?? 0);
}

function renderAsset({
  asset,
  decimals: places,
  accounts,
  debitMinor,
  creditMinor,
  sumMinor,
}: AssetBalances): schemas.Shown<typeof assetBalances> {
  return {
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
}: Omit<BookAccount, 'balanceMinor'>): schemas.Shown<typeof ledgerAccount> {
  const [, , , detail = null] = key.split('/');
  return { account_id: String(id), key, name, detail, meaning: CHART[name].meaning, asset, side: own };
}

function renderBalance(book: BookAccount, places: number | null): schemas.Shown<typeof withBalance> {
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

function renderPosted(amountMinor: bigint, places: number | null): schemas.Shown<TObject<typeof posted>> {
  const debit = amountMinor > 0n;
  return { side: debit ? 'debit' : 'credit', amount: amountText(debit ? amountMinor : -amountMinor, places) };
}

export function renderEntry(book: BookEntry, networks: Networks): schemas.Shown<typeof entry> {
  const decimalsOf = assetDecimals(networks);
  return {
    ...renderHead(book),
    postings: book.postings.map(({ account: of, amountMinor }) => {
      const places = decimalsOf(of.mode, of.asset);
      return { account: renderAccount(of), decimals: places, ...renderPosted(amountMinor, places) };
    }),
  };
}
