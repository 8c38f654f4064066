// The ledger for the operator: balances, the postings of an account, one entry, and the entries of a transaction. Amounts are
// texts in whole units with all decimals of their asset.
import { Type } from 'typebox';
import {
  readBalances,
  readEntriesAbout,
  readLedgerAccount,
  readLedgerEntry,
} from '../../../../app/ledger/browse-ledger.ts';
import { isMode } from '../../../../domain/values/mode.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import {
  accountBalance,
  accountPosting,
  assetBalances,
  decimals,
  entryShape,
  renderAsset,
  renderBalance,
  renderEntry,
  renderPosting,
} from '../../../../renderings/ledger.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { isoTime } from '../../../../renderings/parts/values.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import { pageFields, parsePathNumber, readPageQuery } from './page-query.ts';

const GET = { method: 'GET', tag: 'Ledger' } as const;

const accountRoutes = [
  operatorRoute(
    'operations.read',
    'nothing',
    {
      ...GET,
      path: '/ledger/:mode',
      name: 'listBalances',
      summary:
        'Read the balance of every account in one mode, grouped by asset; the balances of an asset add up to zero',
      answer: {
        as_of: schemas.time,
        assets: Type.Array(assetBalances),
      },
      refusals: ['not_found'],
    },
    async ({ params: { mode = '' } }, deps) => {
      if (!isMode(mode)) return fail(NO_SUCH_RECORD);
      const assets = await readBalances(deps, mode);
      return ok({ as_of: isoTime(deps.clock.now()), assets: assets.map((each) => renderAsset(mode, each)) });
    },
  ),
  operatorRoute(
    'operations.read',
    'several',
    {
      ...GET,
      path: '/ledger/:mode/accounts/:account_id',
      name: 'getLedgerAccount',
      summary: 'Read an account with its postings, highest entry number first',
      query: Type.Object(pageFields),
      answer: {
        account: accountBalance,
        decimals,
        postings: Type.Array(accountPosting),
        next_cursor: schemas.nullable(Type.String()),
      },
      refusals: ['not_found', 'filter_invalid', 'cursor_invalid'],
    },
    async ({ params, query }, deps) => {
      const { mode = '' } = params;
      const accountId = parsePathNumber(params.account_id);
      const page = readPageQuery(query);
      if (!page.ok) return page;
      if (!isMode(mode) || accountId === undefined || accountId > MAX_ACCOUNT) return fail(NO_SUCH_RECORD);
      const { before: beforeEntry, limit } = page.value;
      const found = await readLedgerAccount(deps, { mode, accountId: Number(accountId), beforeEntry, limit });
      if (found === undefined) return fail(NO_SUCH_RECORD);
      return ok({
        account: renderBalance(found.account, found.decimals),
        decimals: found.decimals,
        postings: found.postings.map((each) => renderPosting(each, found.decimals)),
        next_cursor: found.nextEntry === null ? null : String(found.nextEntry),
      });
    },
  ),
];

/** The largest account number that the integer column of the database can store. */
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
      answer: { entry: entryShape },
      refusals: ['not_found'],
    },
    async ({ params }, deps) => {
      const id = parsePathNumber(params.record_id);
      const found = id === undefined ? undefined : await readLedgerEntry(deps, id);
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
        'List the ledger entries of a transaction, credit, deposit or movement and of its related records',
      answer: { entries: Type.Array(entryShape) },
    },
    async ({ params }, deps) => {
      const found = await readEntriesAbout(deps, params.record_id!);
      return ok({ entries: found.map((each) => renderEntry(each, deps.networks)) });
    },
  ),
];

export const ledgerRoutes: readonly ConsoleRoute[] = [...accountRoutes, ...entryRoutes];
