// The response for each readable path of Horizon. Any other path returns 404, as in the real Horizon.
import { StrKey } from '@stellar/stellar-sdk';
import { type ClosedOperation, type HistoryLists, makeToid } from '../history.ts';
import { badRequestProblem, notFoundProblem, ProblemError } from '../problems.ts';
import type { ClaimableBalance } from '../state.ts';
import type { HorizonJson } from './format.ts';
import { feeStatistics, ledgerRecord, rootRecord } from './ledgers.ts';
import { operationRecord } from './operation.ts';
import {
  comparePosition,
  countBefore,
  type PageQuery,
  pageRecord,
  pickPage,
  readPageQuery,
} from './pages.ts';
import type { HorizonProvider } from './provider.ts';
import { accountRecord, assetRecords, claimableRecord, claimableToken } from './state.ts';
import { transactionRecord } from './transaction.ts';

type ReadRoute = (provider: HorizonProvider, url: URL, parts: readonly string[]) => HorizonJson;

function throwNotFound(): never {
  throw new ProblemError(notFoundProblem());
}

function readPositionQuery(url: URL): PageQuery {
  const query = readPageQuery(url.searchParams);
  if (query.cursor !== '' && query.cursor !== 'now') comparePosition({ toid: 0n }, query.cursor);
  return query;
}

function countVisible(items: readonly { readonly toid: bigint }[], provider: HorizonProvider): number {
  const end = makeToid(provider.upTo + 1, 0, 0);
  return countBefore(items, (item) => item.toid >= end);
}

function transactionPage(provider: HorizonProvider, url: URL, lists: HistoryLists): HorizonJson {
  const query = readPositionQuery(url);
  const failedToo = url.searchParams.get('include_failed') === 'true';
  const items = lists.transactions;
  const picked = pickPage(
    {
      items,
      length: countVisible(items, provider),
      compare: comparePosition,
      wanted: (t) => failedToo || t.successful,
    },
    query,
  );
  const records = picked.map((transaction) => transactionRecord(provider.base, transaction));
  return pageRecord(provider.base, url, query, records);
}

function operationPage(
  provider: HorizonProvider,
  url: URL,
  items: readonly ClosedOperation[],
  failedToo = url.searchParams.get('include_failed') === 'true',
  length = countVisible(items, provider),
): HorizonJson {
  const query = readPositionQuery(url);
  const join = url.searchParams.get('join') === 'transactions';
  const wanted = ({ transaction }: ClosedOperation) => failedToo || transaction.successful;
  const picked = pickPage({ items, length, compare: comparePosition, wanted }, query);
  const records = picked.map((operation) => operationRecord(provider.base, operation, join));
  return pageRecord(provider.base, url, query, records);
}

function accountIdOf(part: string | undefined): string {
  if (part === undefined || !StrKey.isValidEd25519PublicKey(part)) {
    throw new ProblemError(
      badRequestProblem('account_id', 'Account ID must start with `G` and contain 56 characters'),
    );
  }
  return part;
}

function listsOf(provider: HorizonProvider, part: string | undefined): HistoryLists {
  const lists = provider.ledger.history.ofAccount(accountIdOf(part));
  if (lists === undefined || countVisible(lists.transactions, provider) === 0) return throwNotFound();
  return lists;
}

function hashOf(part: string | undefined): string {
  if (part === undefined || !/^[0-9a-f]{64}$/.test(part)) {
    throw new ProblemError(
      badRequestProblem('tx_id', 'Transaction hash must be a hex-encoded, lowercase SHA-256 hash'),
    );
  }
  return part;
}

const compareClaimable = (balance: ClaimableBalance, cursor: string): number => {
  const [ledger, id] = cursor.split('-') as [string, string | undefined];
  if (balance.modifiedLedger !== Number(ledger)) return balance.modifiedLedger - Number(ledger);
  return balance.id === id ? 0 : balance.id < (id ?? '') ? -1 : 1;
};

function claimablePage(provider: HorizonProvider, url: URL): HorizonJson {
  const asked = url.searchParams;
  const [claimant, asset, sponsor] = [asked.get('claimant'), asked.get('asset'), asked.get('sponsor')];
  const wanted = (balance: ClaimableBalance) =>
    (asset === null || balance.asset === asset) &&
    (sponsor === null || balance.sponsor === sponsor) &&
    (claimant === null || balance.claimants.some(({ account }) => account === claimant));
  const items = [...provider.state.allClaimables()].sort((a, b) => compareClaimable(a, claimableToken(b)));
  const query = readPageQuery(asked);
  const picked = pickPage({ items, compare: compareClaimable, wanted }, query);
  return pageRecord(
    provider.base,
    url,
    query,
    picked.map((balance) => claimableRecord(provider.base, balance)),
  );
}

function assetPage(provider: HorizonProvider, url: URL): HorizonJson {
  const query = readPageQuery(url.searchParams);
  const code = url.searchParams.get('asset_code');
  const items = assetRecords(provider.state, code, url.searchParams.get('asset_issuer'));
  const token = (record: HorizonJson) => record.paging_token as string;
  const compare = (record: HorizonJson, cursor: string) =>
    token(record) === cursor ? 0 : token(record) < cursor ? -1 : 1;
  return pageRecord(provider.base, url, query, pickPage({ items, compare }, query));
}

function ledgerPage(provider: HorizonProvider, url: URL): HorizonJson {
  const query = readPositionQuery(url);
  const all = provider.ledger.history.ledgers;
  const picked = pickPage(
    {
      items: all,
      length: provider.upTo,
      compare: (ledger, cursor) => comparePosition({ toid: makeToid(ledger.sequence, 0, 0) }, cursor),
    },
    query,
  );
  return pageRecord(
    provider.base,
    url,
    query,
    picked.map((ledger) => ledgerRecord(provider.base, ledger)),
  );
}

function readOperation(provider: HorizonProvider, url: URL, id: string | undefined): HorizonJson {
  if (id === undefined || !/^\d{1,19}$/.test(id))
    throw new ProblemError(badRequestProblem('id', 'id: invalid value'));
  const { operations } = provider.ledger.history.all;
  const found = operations[countBefore(operations, (item) => item.toid >= BigInt(id))];
  const fits = found?.toid === BigInt(id) && found.transaction.ledger <= provider.upTo;
  if (found === undefined || !fits) return throwNotFound();
  return operationRecord(provider.base, found, url.searchParams.get('join') === 'transactions');
}

const allLists = (provider: HorizonProvider) => provider.ledger.history.all;

const ROUTES: readonly [RegExp, ReadRoute][] = [
  [/^\/$/, (provider) => rootRecord(provider)],
  [/^\/fee_stats$/, (provider) => feeStatistics(provider)],
  [/^\/ledgers$/, ledgerPage],
  [
    /^\/ledgers\/(\d+)$/,
    (provider, _url, [sequence]) => {
      const found = provider.ledger.history.ledger(Number(sequence));
      return found === undefined || found.sequence > provider.upTo
        ? throwNotFound()
        : ledgerRecord(provider.base, found);
    },
  ],
  [
    /^\/accounts\/([^/]+)$/,
    (provider, _url, [id]) => {
      const account = provider.state.account(accountIdOf(id));
      return account === undefined ? throwNotFound() : accountRecord(provider.base, account);
    },
  ],
  [
    /^\/accounts\/([^/]+)\/data\/([^/]+)$/,
    (provider, _url, [id, name]) => {
      const value = provider.state.account(accountIdOf(id))?.data.get(decodeURIComponent(name!));
      return value === undefined ? throwNotFound() : { value: Buffer.from(value).toString('base64') };
    },
  ],
  [
    /^\/accounts\/([^/]+)\/payments$/,
    (provider, url, [id]) => operationPage(provider, url, listsOf(provider, id).payments),
  ],
  [
    /^\/accounts\/([^/]+)\/operations$/,
    (provider, url, [id]) => operationPage(provider, url, listsOf(provider, id).operations),
  ],
  [
    /^\/accounts\/([^/]+)\/transactions$/,
    (provider, url, [id]) => transactionPage(provider, url, listsOf(provider, id)),
  ],
  [/^\/payments$/, (provider, url) => operationPage(provider, url, allLists(provider).payments)],
  [/^\/operations$/, (provider, url) => operationPage(provider, url, allLists(provider).operations)],
  [/^\/operations\/([^/]+)$/, (provider, url, [id]) => readOperation(provider, url, id)],
  [/^\/transactions$/, (provider, url) => transactionPage(provider, url, allLists(provider))],
  [
    /^\/transactions\/([^/]+)$/,
    (provider, _url, [part]) => {
      const hash = hashOf(part);
      const shown = provider.shownTransaction(hash);
      return shown === undefined ? throwNotFound() : transactionRecord(provider.base, shown, hash);
    },
  ],
  [
    /^\/transactions\/([^/]+)\/(?:operations|payments)$/,
    (provider, url, [part]) => {
      const shown = provider.shownTransaction(hashOf(part));
      if (shown === undefined) return throwNotFound();
      return operationPage(provider, url, shown.operations, true, shown.operations.length);
    },
  ],
  [/^\/claimable_balances$/, claimablePage],
  [
    /^\/claimable_balances\/([^/]+)$/,
    (provider, _url, [id]) => {
      const balance = provider.state.claimable(id!);
      return balance === undefined ? throwNotFound() : claimableRecord(provider.base, balance);
    },
  ],
  [/^\/assets$/, assetPage],
];

export function answerRead(provider: HorizonProvider, url: URL): HorizonJson {
  for (const [path, route] of ROUTES) {
    const match = path.exec(url.pathname);
    if (match !== null) return route(provider, url, match.slice(1));
  }
  return throwNotFound();
}
