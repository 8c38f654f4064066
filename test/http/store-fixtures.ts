// Makes a database with a business and its API keys, and acceptances for the store. The tests next to the PostgreSQL adapters
// use it.
import { makeBackOffice } from '../../src/adapters/postgres/back-office/back-office.ts';
import { type Database, openDatabase } from '../../src/adapters/postgres/connection/database.ts';
import { UNNAMED_FULL_KEY } from '../../src/domain/catalogue/secret-keys.ts';
import { INITIAL_TRANSACTION_FIELDS, type Transaction } from '../../src/domain/records/transaction.ts';
import { type IdPrefix, makeId } from '../../src/domain/values/ids.ts';
import type { Acceptance } from '../../src/ports/store/acceptance.ts';
import { freshDatabase } from '../support/database.ts';
import { databaseTimeoutMs } from '../support/patience.ts';
import { addReviewers } from '../support/people/reviewers.ts';
import { afterFile } from '../support/sharing/file-group.ts';

export const BUSINESS = 'biz_fixture';
export const KEY = 'key_test';
export const LIVE_KEY = 'key_live';
export const SCOPE = { businessId: BUSINESS, mode: 'test' } as const;
export const NOW = Date.parse('2026-11-14T09:30:00.123Z');

export function openTestDatabase(url: string, poolSize = 3, answerTimeoutMs = databaseTimeoutMs()): Database {
  const database = openDatabase({
    connection: { connectionString: url },
    poolSize,
    answerTimeoutMs,
    applicationName: 'sliproad-fixture',
    onError: () => undefined,
  });
  afterFile(() => database.close());
  return database;
}

export async function databaseWithKeys(): Promise<{ url: string; database: Database }> {
  const url = await freshDatabase();
  const database = openTestDatabase(url);
  await prepareKeys(database);
  return { url, database };
}

export async function prepareKeys(database: Database): Promise<void> {
  await addReviewers(database);
  const backOffice = makeBackOffice(database);
  const doing = { actor: 'test', atMs: NOW };
  const business = { id: BUSINESS, name: 'Fixture', linkTag: 'fixture', sandbox: false };
  await backOffice.addBusiness(business, doing);
  for (const [id, mode] of [
    [KEY, 'test'],
    [LIVE_KEY, 'live'],
  ] as const) {
    await backOffice.addKey(
      { id, businessId: BUSINESS, mode, hash: `hash of ${id}`, hint: 'sk', ...UNNAMED_FULL_KEY },
      doing,
    );
  }
}

export function freshId(prefix: IdPrefix): string {
  return makeId(prefix, NOW, crypto.getRandomValues(new Uint8Array(10)));
}

export function transaction(changes: Partial<Transaction> = {}): Transaction {
  const id = freshId('txn');
  const expiresAtMs = changes.expiresAtMs ?? NOW + 86_400_000;
  return {
    ...INITIAL_TRANSACTION_FIELDS,
    id,
    ...SCOPE,
    type: 'buy',
    reference: `ref-${id.slice(4)}`,
    linkTag: 'fixture',
    state: 'awaiting_payment',
    amountMinor: 1_500_050n,
    feeMinor: 0n,
    accountNumber: '0123456785',
    accountName: null,
    bankName: 'GTBank',
    bankCode: 'guaranty-trust-bank',
    flags: [],
    vendor: { vendorId: 'vnd_1', name: 'Vendor', number: '9900000011', bank: 'Providus Bank' },
    wallet: { network: 'Polygon', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
    deposits: [],
    quoteId: null,
    createdAtMs: NOW,
    updatedAtMs: NOW,
    expiresAtMs,
    dueAtMs: expiresAtMs,
    ...changes,
  };
}

export function sell(changes: Partial<Transaction> = {}): Transaction {
  const base = transaction();
  const deposits = ['Stellar', 'Polygon'].map((network) => ({
    network,
    address: `${network} ${base.id}`,
    memo: network === 'Stellar' ? '7' : null,
    memoType: network === 'Stellar' ? 'id' : null,
    asset: 'NGNC',
    ...(network === 'Stellar'
      ? { decimals: 7, expectedToken: 150_005_000_000n }
      : { decimals: 6, expectedToken: 15_000_500_000n }),
    confirmations: 1,
    expiresAtMs: base.expiresAtMs,
  }));
  return {
    ...base,
    type: 'sell',
    state: 'awaiting_deposit',
    vendor: null,
    wallet: null,
    deposits,
    ...changes,
  };
}

export function acceptance(
  changes: Partial<Transaction> = {},
  more: Partial<Omit<Acceptance, 'transaction'>> = {},
): Acceptance {
  const rest = { bodyHash: 'body', idempotency: null, keyId: KEY, scenario: null };
  return { transaction: transaction(changes), ...rest, ...more };
}

export async function countOf(database: Database, table: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>({ text: `select count(*)::int from ${table}` });
  return rows[0]!.count;
}

export async function addTimelineLines(
  database: Pick<Database, 'query'>,
  id: string,
  state: string,
  lines: readonly (readonly [string, string])[],
  evidence: object = {},
): Promise<void> {
  for (const [index, [actor, reason]] of lines.entries())
    await database.query({
      text: `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, evidence,
          business_id, mode)
        select id, $2, now(), $3, $3, $4, $5, $6, business_id, mode from transactions where id = $1`,
      values: [id, index + 100, state, actor, reason, JSON.stringify(evidence)],
    });
}
