// The environment in which a sender is killed while it pays out: local banks that keep running, a separate PostgreSQL, and
// live-mode sells whose tokens have arrived. Every sell has a unique account and amount, so that the payments of two sells cannot
// be confused.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import pino from 'pino';
import type { BankFault } from '../../local-banks/faults/kinds.ts';
import { type LocalBanks, startLocalBanks } from '../../local-banks/start.ts';
import { payoutAccountOf } from '../../src/app/movements/payouts/choose-rail.ts';
import { readConfig } from '../../src/config.ts';
import { UNNAMED_FULL_KEY } from '../../src/domain/catalogue/secret-keys.ts';
import { entryOf } from '../../src/domain/ledger/ledger.ts';
import type { Transaction } from '../../src/domain/records/transaction.ts';
import { tokenAsset } from '../../src/domain/values/money.ts';
import { type Foundation, openFoundation } from '../../src/wire/foundation.ts';
import { acceptance, BUSINESS, KEY, sell } from '../http/store-fixtures.ts';
import { type Home, makeHome } from './home.ts';
import { startOwnCluster } from './own-cluster.ts';
import { databaseTimeoutMs } from './patience.ts';
import { SECRETS_KEY } from './people/secrets-key.ts';

export interface BankWorld {
  readonly home: Home;
  readonly foundation: Foundation;
  readonly banks: LocalBanks;
  readonly sells: readonly Transaction[];
  readonly environment: Readonly<Record<string, string>>;
  bringUpTo(count: number): Promise<void>;
  fail(): void;
}

/** The lease is short, so that the leases of a killed sender have expired when the next sender has started. */
const LEASE_MS = 1_000;
const KINDS = ['nip-bank', 'paystack'];
/**
 * The banks pay a reference only once. A killed sender may already have submitted an order. The next sender submits this order
 * again after the bank has not found it for a long time.
 */
const OPTIONS = { repeats: 'paid_once', timeout_seconds: 3 };
const FIRST_ACCOUNT = 3_000_000_000;
const LOWEST_MINOR = 1_500_000n;
const FLOAT_MINOR = 40_000_000_000n;
const UNIT = 10_000n;
const OWNER = 'ADA OBI';
const MODE = 'live';

/** None of these faults makes a bank contradict itself, because a payout at such a bank may be paid twice. */
const FAULTS: readonly Omit<BankFault, 'rail'>[] = [
  { kind: 'cut-before', operation: 'pay', probability: 0.1 },
  { kind: 'cut-after', operation: 'pay', probability: 0.15 },
  { kind: 'cut-middle', operation: 'pay', probability: 0.05 },
  { kind: 'error-502', operation: 'pay', probability: 0.05 },
  { kind: 'unknown-status', operation: 'pay', probability: 0.05 },
  { kind: 'insufficient', probability: 0.05 },
  { kind: 'cut-after', operation: 'status', probability: 0.1 },
  { kind: 'not-found', probability: 0.05 },
];

export async function openBankWorld(
  t: TestContext,
  { payouts, seed }: { readonly payouts: number; readonly seed: number },
): Promise<BankWorld> {
  const home = await makeHome(t);
  const cluster = await startOwnCluster(t, home);
  const banks = await startLocalBanks({ dir: path.join(home.root, 'banks') });
  t.after(() => banks.close());
  const environment = {
    ...SECRETS_KEY,
    BANKS_FILE: await onlyThese(banks.environment.BANKS_FILE!),
    DATABASE_URL: cluster.url,
    DATABASE_TIMEOUT_MS: String(databaseTimeoutMs()),
    DATA_DIR: home.dataDir,
    SETTLE_LEASE_MS: String(LEASE_MS),
  };
  const silent = pino({ level: 'silent' });
  const foundation = await openFoundation(readConfig(environment), silent, { networks: 'open' });
  t.after(() => foundation.close());
  await addBusiness(foundation);
  await fundRails(foundation);
  const nowMs = foundation.clock.now();
  const sells = Array.from({ length: payouts }, (_, no) => drawSell(no, nowMs));
  for (const { accountNumber } of sells) banks.setAccount({ number: accountNumber, name: OWNER });
  let brought = 0;
  return {
    ...{ home, foundation, banks, sells, environment },
    bringUpTo: async (count) => {
      await bring(foundation, sells.slice(brought, count));
      brought = Math.max(brought, count);
    },
    fail: () => {
      for (const [index, fault] of FAULTS.entries()) banks.setFault({ ...fault, seed: seed + index });
    },
  };
}

async function onlyThese(location: string): Promise<string> {
  const file = JSON.parse(await readFile(location, 'utf8')) as { rails: { kind: string; options: object }[] };
  const some = `${location}.some`;
  const rails = file.rails
    .filter(({ kind }) => KINDS.includes(kind))
    .map((row) => ({ ...row, options: { ...row.options, ...OPTIONS } }));
  await writeFile(some, JSON.stringify({ rails }), { mode: 0o600 });
  return some;
}

async function addBusiness({ backOffice, clock }: Foundation): Promise<void> {
  const doing = { actor: 'test', atMs: clock.now() };
  await backOffice.addBusiness({ id: BUSINESS, name: 'Fixture', linkTag: 'fixture', sandbox: false }, doing);
  const key = { id: KEY, businessId: BUSINESS, mode: MODE, hash: 'hash', hint: 'sk' } as const;
  await backOffice.addKey({ ...key, ...UNNAMED_FULL_KEY }, doing);
}

async function fundRails({ store, database, bankRails, clock }: Foundation): Promise<void> {
  const rails = bankRails.enabled(MODE);
  assert.equal(rails.length, KINDS.length);
  const facts = { mode: MODE, subjectId: 'setup', amounts: { amount: FLOAT_MINOR } } as const;
  const entries = rails.map((rail) =>
    entryOf('float_funded', { ...facts, payoutAccount: payoutAccountOf(rail) }),
  );
  assert.deepEqual(await store.commit([{ atMs: clock.now(), entries }]), [{ kind: 'committed' }]);
  for (const { name } of rails)
    await database.query({
      text: `insert into rail_routes (mode, rail, priority, weight, enabled, updated_at)
        values ($1, $2, 1, 1, true, now())`,
      values: [MODE, name],
    });
}

function drawSell(no: number, nowMs: number): Transaction {
  return sell({
    mode: MODE,
    state: 'deposited',
    amountMinor: LOWEST_MINOR + BigInt(no) * 100n,
    accountNumber: String(FIRST_ACCOUNT + no),
    accountName: OWNER,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    // An accepted transaction is due when it expires. These sells expire immediately, so that their payouts are due
    // immediately.
    expiresAtMs: nowMs,
    dueAtMs: nowMs,
  });
}

async function bring({ store, clock }: Foundation, sells: readonly Transaction[]): Promise<void> {
  const asset = tokenAsset('NGNC', 'Polygon');
  const outcomes = await Promise.all(
    sells.map((transaction) => store.accept({ ...acceptance(), transaction })),
  );
  for (const outcome of outcomes) assert.deepEqual(outcome, { kind: 'created' });
  const changes = sells.map(({ id: subjectId, mode, amountMinor: amount }) => {
    const of = { mode, subjectId, asset, amounts: { amount, tokens: amount * UNIT, dust: 0n } };
    return {
      atMs: clock.now(),
      entries: [entryOf('deposit_received', of), entryOf('deposit_applied', of)],
    };
  });
  for (const { kind } of await store.commit(changes)) assert.equal(kind, 'committed');
}
