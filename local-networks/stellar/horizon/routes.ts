// What each readable path of Horizon answers. A path that is not here is a 404, as on the real one.
import { StrKey } from '@stellar/stellar-sdk';
import { type ClosedOperation, type Lists, toid } from '../history.ts';
import { badRequest, notFound, ProblemError } from '../problems.ts';
import type { ClaimableBalance } from '../state.ts';
import type { Json } from './format.ts';
import { feeStatistics, ledgerRecord, rootRecord } from './ledgers.ts';
import { operationRecord } from './operation.ts';
import { comparePlace, countBefore, type PageQuery, page, pageQuery, pick } from './pages.ts';
import type { Provider } from './provider.ts';
import { accountRecord, assetRecords, claimableRecord, claimableToken } from './state.ts';
import { transactionRecord } from './transaction.ts';

type Route = (provider: Provider, url: URL, parts: readonly string[]) => Json;

function missing(): never {
  throw new ProblemError(notFound());
}

function placeQuery(url: URL): PageQuery {
  const query = pageQuery(url.searchParams);
  if (query.cursor !== '' && query.cursor !== 'now') comparePlace({ toid: 0n }, query.cursor);
  return query;
}

/** Only what stands in ledgers the provider has ingested. */
function visible(items: readonly { readonly toid: bigint }[], provider: Provider): number {
  const end = toid(provider.upTo + 1, 0, 0);
  return countBefore(items, (item) => item.toid >= end);
}

function transactionPage(provider: Provider, url: URL, lists: Lists): Json {
  const query = placeQuery(url);
  const failedToo = url.searchParams.get('include_failed') === 'true';
  const items = lists.transactions;
  const picked = pick(
    {
      items,
      length: visible(items, provider),
      compare: comparePlace,
      wanted: (t) => failedToo || t.successful,
    },
    query,
  );
  const records = picked.map((transaction) => transactionRecord(provider.base, transaction));
  return page(provider.base, url, query, records);
}

function operationPage(
  provider: Provider,
  url: URL,
  items: readonly ClosedOperation[],
  failedToo = url.searchParams.get('include_failed') === 'true',
  length = visible(items, provider),
): Json {
  const query = placeQuery(url);
  const join = url.searchParams.get('join') === 'transactions';
  const wanted = ({ transaction }: ClosedOperation) => failedToo || transaction.successful;
  const picked = pick({ items, length, compare: comparePlace, wanted }, query);
  const records = picked.map((operation) => operationRecord(provider.base, operation, join));
  return page(provider.base, url, query, records);
}

function accountIdOf(part: string | undefined): string {
  if (part === undefined || !StrKey.isValidEd25519PublicKey(part)) {
    throw new ProblemError(
      badRequest('account_id', 'Account ID must start with `G` and contain 56 characters'),
    );
  }
  return part;
}

function listsOf(provider: Provider, part: string | undefined): Lists {
  const lists = provider.ledger.history.ofAccount(accountIdOf(part));
  if (lists === undefined || visible(lists.transactions, provider) === 0) return missing();
  return lists;
}

function hashOf(part: string | undefined): string {
  if (part === undefined || !/^[0-9a-f]{64}$/.test(part)) {
    throw new ProblemError(
      badRequest('tx_id', 'Transaction hash must be a hex-encoded, lowercase SHA-256 hash'),
    );
  }
  return part;
}

const compareClaimable = (balance: ClaimableBalance, cursor: string): number => {
  const [ledger, id] = cursor.split('-') as [string, string | undefined];
  if (balance.modifiedLedger !== Number(ledger)) return balance.modifiedLedger - Number(ledger);
  return balance.id === id ? 0 : balance.id < (id ?? '') ? -1 : 1;
};

function claimables(provider: Provider, url: URL): Json {
  const asked = url.searchParams;
  const [claimant, asset, sponsor] = [asked.get('claimant'), asked.get('asset'), asked.get('sponsor')];
  const wanted = (balance: ClaimableBalance) =>
    (asset === null || balance.asset === asset) &&
    (sponsor === null || balance.sponsor === sponsor) &&
    (claimant === null || balance.claimants.some(({ account }) => account === claimant));
  const items = [...provider.state.allClaimables()].sort((a, b) => compareClaimable(a, claimableToken(b)));
  const query = pageQuery(asked);
  const picked = pick({ items, compare: compareClaimable, wanted }, query);
  return page(
    provider.base,
    url,
    query,
    picked.map((balance) => claimableRecord(provider.base, balance)),
  );
}

function assets(provider: Provider, url: URL): Json {
  const query = pageQuery(url.searchParams);
  const code = url.searchParams.get('asset_code');
  const items = assetRecords(provider.state, code, url.searchParams.get('asset_issuer'));
  const token = (record: Json) => record.paging_token as string;
  const compare = (record: Json, cursor: string) =>
    token(record) === cursor ? 0 : token(record) < cursor ? -1 : 1;
  return page(provider.base, url, query, pick({ items, compare }, query));
}

function ledgers(provider: Provider, url: URL): Json {
  const query = placeQuery(url);
  const all = provider.ledger.history.ledgers;
  const picked = pick(
    {
      items: all,
      length: provider.upTo,
      compare: (ledger, cursor) => comparePlace({ toid: toid(ledger.sequence, 0, 0) }, cursor),
    },
    query,
  );
  return page(
    provider.base,
    url,
    query,
    picked.map((ledger) => ledgerRecord(provider.base, ledger)),
  );
}

function operation(provider: Provider, url: URL, id: string | undefined): Json {
  if (id === undefined || !/^\d{1,19}$/.test(id))
    throw new ProblemError(badRequest('id', 'id: invalid value'));
  const { operations } = provider.ledger.history.all;
  const found = operations[countBefore(operations, (item) => item.toid >= BigInt(id))];
  const fits = found?.toid === BigInt(id) && found.transaction.ledger <= provider.upTo;
  if (found === undefined || !fits) return missing();
  return operationRecord(provider.base, found, url.searchParams.get('join') === 'transactions');
}

const all = (provider: Provider) => provider.ledger.history.all;

const ROUTES: readonly [RegExp, Route][] = [
  [/^\/$/, (provider) => rootRecord(provider)],
  [/^\/fee_stats$/, (provider) => feeStatistics(provider)],
  [/^\/ledgers$/, ledgers],
  [
    /^\/ledgers\/(\d+)$/,
    (provider, _url, [sequence]) => {
      const found = provider.ledger.history.ledger(Number(sequence));
      return found === undefined || found.sequence > provider.upTo
        ? missing()
        : ledgerRecord(provider.base, found);
    },
  ],
  [
    /^\/accounts\/([^/]+)$/,
    (provider, _url, [id]) => {
      const account = provider.state.account(accountIdOf(id));
      return account === undefined ? missing() : accountRecord(provider.base, account);
    },
  ],
  [
    /^\/accounts\/([^/]+)\/data\/([^/]+)$/,
    (provider, _url, [id, name]) => {
      const value = provider.state.account(accountIdOf(id))?.data.get(decodeURIComponent(name!));
      return value === undefined ? missing() : { value: Buffer.from(value).toString('base64') };
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
  [/^\/payments$/, (provider, url) => operationPage(provider, url, all(provider).payments)],
  [/^\/operations$/, (provider, url) => operationPage(provider, url, all(provider).operations)],
  [/^\/operations\/([^/]+)$/, (provider, url, [id]) => operation(provider, url, id)],
  [/^\/transactions$/, (provider, url) => transactionPage(provider, url, all(provider))],
  [
    /^\/transactions\/([^/]+)$/,
    (provider, _url, [part]) => {
      const hash = hashOf(part);
      const shown = provider.shownTransaction(hash);
      return shown === undefined ? missing() : transactionRecord(provider.base, shown, hash);
    },
  ],
  [
    /^\/transactions\/([^/]+)\/(?:operations|payments)$/,
    (provider, url, [part]) => {
      const shown = provider.shownTransaction(hashOf(part));
      if (shown === undefined) return missing();
      return operationPage(provider, url, shown.operations, true, shown.operations.length);
    },
  ],
  [/^\/claimable_balances$/, claimables],
  [
    /^\/claimable_balances\/([^/]+)$/,
    (provider, _url, [id]) => {
      const balance = provider.state.claimable(id!);
      return balance === undefined ? missing() : claimableRecord(provider.base, balance);
    },
  ],
  [/^\/assets$/, assets],
];

export function answerRead(provider: Provider, url: URL): Json {
  for (const [path, route] of ROUTES) {
    const match = path.exec(url.pathname);
    if (match !== null) return route(provider, url, match.slice(1));
  }
  return missing();
}
