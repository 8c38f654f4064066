// A ledger on a real database for the tests of its audit. It posts trades as settlement does, runs checks, and has a superuser
// role that bypasses the service. Every test has a separate ledger.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { makeLedgerAudit } from '../../src/adapters/postgres/ledger/audit.ts';
import { makePostgresStore } from '../../src/adapters/postgres/store.ts';
import { checkLedger } from '../../src/app/ledger/check-ledger.ts';
import { type EntryFacts, entryOf, type LedgerEvent } from '../../src/domain/ledger/ledger.ts';
import type { Network, Networks } from '../../src/ports/networks/network.ts';
import { NOW, openTestDatabase } from '../http/store-fixtures.ts';
import { freshDatabase, superuserUrl } from './database.ts';
import { until } from './patience.ts';

export const ASSET = 'TKN@Net';
const TOKENS_PER_KOBO = 10_000n;
const networks = {
  enabled: () => [{ name: 'Net', asset: { code: 'TKN', decimals: 6 }, native: null } as Network],
  disabled: () => [],
} as unknown as Networks;

type LedgerStage = Awaited<ReturnType<typeof openLedger>>;

export function ledgerTest(name: string, work: (ledger: LedgerStage) => Promise<void>): void {
  test(name, async () => work(await openLedger()));
}

export const rules = (state: { readonly findings: readonly { readonly rule: string }[] }) =>
  state.findings.map(({ rule }) => rule);

export async function openLedger() {
  const url = await freshDatabase();
  const database = openTestDatabase(url, 8);
  const store = makePostgresStore(database);
  const troubles: Readonly<Record<string, unknown>>[] = [];
  const audit = makeLedgerAudit(database, { postingsPerQuery: 7 });
  const deps = {
    ledgerAudit: audit,
    networks,
    clock: { now: () => NOW },
    onTrouble: (_message: string, detail: Readonly<Record<string, unknown>>) => troubles.push(detail),
  };

  const post = async (event: LedgerEvent, amounts: EntryFacts['amounts'], subjectId = 'txn_1') => {
    const facts = {
      mode: 'test',
      subjectId,
      asset: ASSET,
      bankAccount: '058:1',
      payoutAccount: null,
      amounts,
    } as const;
    const [outcome] = await store.commit([{ atMs: NOW, entries: [entryOf(event, facts)] }]);
    return outcome!;
  };

  const trade = async (amount: bigint, subjectId = 'txn_1'): Promise<void> => {
    const tokens = amount * TOKENS_PER_KOBO;
    for (const [event, amounts] of [
      ['credit_received', { amount }],
      ['credit_matched', { amount }],
      ['tokens_reserved', { tokens }],
      ['tokens_sent', { tokens, amount }],
      ['tokens_confirmed', { tokens, amount }],
      ['deposit_received', { tokens, dust: 3n }],
      ['deposit_applied', { tokens, amount }],
    ] as const) {
      assert.deepEqual(await post(event, amounts, subjectId), { kind: 'committed' }, event);
    }
  };

  /** Repeats the check until it has passed this many entries. Transactions of other databases may delay the checkpoint. */
  const checkPasses = async (entries: number): Promise<void> => {
    let passed = 0;
    await until(`${entries} entries were passed`, async () => {
      const state = await checkLedger(deps);
      assert.deepEqual(state.findings, []);
      passed += state.newEntries;
      return passed >= entries;
    });
    assert.equal(passed, entries);
    assert.equal((await checkLedger(deps)).newEntries, 0);
  };

  return {
    url,
    database,
    store,
    audit,
    deps,
    troubles,
    post,
    trade,
    behindItsBack: (...texts: string[]) => behindItsBack(url, texts),
    checkPasses,
    fund: () => post('treasury_funded', { tokens: 10n ** 15n }, 'fund_1'),
    halted: async () => (await audit.listHalts()).map(({ mode, asset }) => `${mode} ${asset}`),
  };
}

async function behindItsBack(url: string, texts: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl(url) });
  await client.connect();
  try {
    for (const text of texts) await client.query(text);
  } finally {
    await client.end();
  }
}
