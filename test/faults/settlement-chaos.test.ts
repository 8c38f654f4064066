// Many lifecycles at once through three processes on one database, in an outside world that fails one call in ten, while
// processes are killed at random. CHAOS_LIFECYCLES, CHAOS_KILLS and CHAOS_SEED make it larger, or the same again.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { addBusiness } from '../../src/app/manage-businesses.ts';
import { setFee } from '../../src/app/manage-fees.ts';
import { issueKey } from '../../src/app/manage-keys.ts';
import { readConfig } from '../../src/config.ts';
import { type Foundation, openFoundation } from '../../src/wire.ts';
import { type Books, readBooks } from '../support/chaos-books.ts';
import { type Clients, startClients } from '../support/chaos-clients.ts';
import { awaitEndings, stragglersIn } from '../support/chaos-endings.ts';
import { describe } from '../support/chaos-explain.ts';
import { type Fleet, startFleet } from '../support/chaos-fleet.ts';
import {
  assertHeldIsAccounted,
  assertLedgerIsTheWorld,
  assertLedgerSound,
  assertTimelinesAreChains,
} from '../support/chaos-ledger.ts';
import { assertPaidOnce } from '../support/chaos-payments.ts';
import { assertCreditsUsedOnce, assertDepositsUsedOnce } from '../support/chaos-receipts.ts';
import { claimsOf, drawErrands, type Errand, makeDice } from '../support/chaos-stories.ts';
import { freshDatabase } from '../support/database.ts';
import { until } from '../support/process.ts';
import type { TestBusiness } from '../support/service.ts';

const LIFECYCLES = Number(process.env.CHAOS_LIFECYCLES ?? 500);
const KILLS = Number(process.env.CHAOS_KILLS ?? 20);
const SEED = process.env.CHAOS_SEED ?? randomBytes(4).toString('hex');
const PROCESSES = 3;
const CLIENTS = 24;
const LONGEST_WAIT_MS = 900;
const LONGEST_PAUSE_MS = 300;
const PATIENCE_MS = 60_000;

const settings = {
  SETTLE_LEASE_MS: '1500',
  SANDBOX_PACE_MS: '60',
  SANDBOX_FAULT_PERCENT: '10',
  SANDBOX_SEED: SEED,
};

test(`threats 16, 17, 19, 21, 30, 40, 41, 42, 45, 56, 57: ${KILLS} kill -9 during ${LIFECYCLES} lifecycles in ${PROCESSES} processes`, async (t) => {
  t.diagnostic(`CHAOS_SEED=${SEED} CHAOS_LIFECYCLES=${LIFECYCLES} CHAOS_KILLS=${KILLS}`);
  const url = await freshDatabase();
  const foundation = await openFoundation(readConfig({ DATABASE_URL: url }), pino({ level: 'silent' }));
  t.after(() => foundation.close());
  const businesses = await makeBusinesses(foundation);
  const errands = drawErrands(SEED, LIFECYCLES, businesses);
  const lifecycles = claimsOf(errands);
  const fleet = await startFleet(t, PROCESSES, { ...settings, DATABASE_URL: url });

  const startedAt = performance.now();
  const { told, unanswered } = await loadAndKill(t, fleet, errands);
  const seconds = () => Math.round((performance.now() - startedAt) / 1_000);
  t.diagnostic(`${told.size} accepted after ${seconds()} s; ${unanswered()} requests were not answered`);
  const unfinished = await awaitEndings(foundation.connection, lifecycles, PATIENCE_MS);
  t.diagnostic(`settled after ${seconds()} s`);
  t.diagnostic(JSON.stringify(fleet.troubles()));
  if (unfinished.stragglers.length + unfinished.open.length > 0) {
    assert.fail(`CHAOS_SEED=${SEED}: ${await describe(foundation.connection, unfinished)}`);
  }
  for (const ended of await fleet.stop()) assert.deepEqual(ended, { code: 0, signal: null });

  const books = await readBooks(foundation.connection);
  assert.deepEqual(stragglersIn(books, lifecycles), [], 'what had ended has stayed so');
  await checkBooks(t, foundation, books);
  await t.test('threat 30: every accepted reference is stored once, under the id that was told', () => {
    const stored = books.transactions.map(({ reference, id }) => [reference, id]);
    assert.equal(stored.length, lifecycles.length);
    assert.deepEqual(new Map(stored as [string, string][]), new Map(told));
  });
});

/** Lets the errands begin share by share; in the middle of each share a process dies. */
async function loadAndKill(t: TestContext, fleet: Fleet, errands: readonly Errand[]): Promise<Clients> {
  const dice = makeDice(`${SEED} kills`);
  const clients = startClients(fleet.urls, errands, CLIENTS);
  t.after(() => clients.stop());
  const failed = clients.done.then(() => new Promise<never>(() => undefined));
  for (let kill = 1; kill <= KILLS; kill++) {
    const share = Math.ceil((errands.length * kill) / (KILLS + 1));
    const enough = Math.floor((errands.length * (kill - 0.5)) / (KILLS + 1));
    clients.release(share);
    await Promise.race([until('errands are answered', () => clients.finished() >= enough), failed]);
    await sleep(dice.below(LONGEST_WAIT_MS));
    await fleet.kill(dice.below(1_000), dice.below(LONGEST_PAUSE_MS));
  }
  clients.release(errands.length);
  await clients.done;
  await fleet.whole();
  return clients;
}

async function makeBusinesses(foundation: Foundation): Promise<TestBusiness[]> {
  const deps = { ...foundation, actor: 'test' };
  const businesses: TestBusiness[] = [];
  for (const linkTag of ['first', 'second', 'third']) {
    const added = await addBusiness(deps, { name: `Business ${linkTag}`, linkTag, sandbox: false });
    assert.ok(added.ok);
    const businessId = added.value.id;
    const testKey = (await issueKey(deps, businessId, 'test'))!.secretKey;
    businesses.push({ businessId, linkTag, testKey, liveKey: '' });
  }
  const { businessId } = businesses.at(-1)!;
  for (const product of ['buy', 'sell'] as const) {
    const fee = { businessId, mode: 'test', product, flatMinor: 50_00n, feeBps: 75, capMinor: null } as const;
    assert.ok((await setFee(deps, { ...fee, fromMs: null })).ok);
  }
  return businesses;
}

async function checkBooks(t: TestContext, { simulation }: Foundation, books: Books): Promise<void> {
  const tokens = await Promise.all(
    simulation.networks.map(async ({ name, asset, treasuryMinor }) => ({
      network: name,
      ...asset,
      treasuryMinor: await treasuryMinor(),
    })),
  );
  const decimals = new Map(tokens.map((token) => [token.network, token.decimals]));
  await t.test('threats 40, 41, 42, 56, 57: nobody is paid twice, and only what is done was paid', () => {
    assertPaidOnce(books, decimals);
  });
  await t.test(
    'threats 17, 18, 19, 52, 55: what came in is counted once and pays one transaction at most',
    () => {
      assertCreditsUsedOnce(books);
      assertDepositsUsedOnce(books, decimals);
    },
  );
  await t.test('the ledger sums to zero, and holds nothing but what is done or held', () => {
    assertLedgerSound(books);
    assertHeldIsAccounted(books);
  });
  await t.test('the ledger is what the bank and the networks hold', () =>
    assertLedgerIsTheWorld(books, tokens),
  );
  await t.test('every timeline is a chain of moves', () => assertTimelinesAreChains(books));
}
