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
import { awaitEndings, explain, type Unfinished } from '../support/chaos-endings.ts';
import { type Fleet, startClients, startFleet } from '../support/chaos-fleet.ts';
import {
  assertLedgerIsTheWorld,
  assertLedgerSound,
  assertTimelinesAreChains,
} from '../support/chaos-ledger.ts';
import { assertCreditsUsedOnce, assertPaidOnce } from '../support/chaos-payments.ts';
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
const SHOWN = 5;

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
  const told = await loadAndKill(t, fleet, errands);
  t.diagnostic(`all answered after ${Math.round(performance.now() - startedAt)} ms`);
  const unfinished = await awaitEndings(foundation.connection, lifecycles, PATIENCE_MS);
  t.diagnostic(`settled after ${Math.round(performance.now() - startedAt)} ms`);
  t.diagnostic(JSON.stringify(fleet.troubles(), null, 1));
  await assertFinished(foundation, unfinished);
  for (const ended of await fleet.stop()) assert.deepEqual(ended, { code: 0, signal: null });

  const books = await readBooks(foundation.connection);
  await checkBooks(t, foundation, books);
  await t.test('threat 30: every accepted reference is stored once, under the id that was told', () => {
    const stored = books.transactions.map(({ reference, id }) => [reference, id]);
    assert.equal(stored.length, lifecycles.length);
    assert.deepEqual(new Map(stored as [string, string][]), new Map(told));
  });
});

/** Lets the errands begin share by share; in the middle of each share a process dies. */
async function loadAndKill(
  t: TestContext,
  fleet: Fleet,
  errands: readonly Errand[],
): Promise<ReadonlyMap<string, string>> {
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
  return clients.told;
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

async function assertFinished({ connection }: Foundation, { stragglers, open }: Unfinished): Promise<void> {
  if (stragglers.length + open.length === 0) return;
  const lines = [`CHAOS_SEED=${SEED}: ${stragglers.length} did not end, ${open.length} things are open`];
  for (const { what, id } of open.slice(0, SHOWN)) lines.push(`open ${what} ${id}`);
  for (const { transaction, story, wanted } of stragglers.slice(0, SHOWN)) {
    const { id, type, state, exception } = transaction;
    const ending = wanted && `${wanted.state} (${wanted.exception}), ${wanted.refundedMinor} refunded`;
    lines.push(`${id}, a ${type} "${story}", is ${state} (${exception}), wanted ${ending}`);
    lines.push(await explain(connection, id));
  }
  assert.fail(lines.join('\n'));
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
    'threats 17, 18, 19, 55: what came in is counted once and pays one transaction at most',
    () => {
      assertCreditsUsedOnce(books);
    },
  );
  await t.test('the ledger sums to zero, and nothing is left under way', () => assertLedgerSound(books));
  await t.test('the ledger is what the bank and the networks hold', () =>
    assertLedgerIsTheWorld(books, tokens),
  );
  await t.test('every timeline is a chain of moves', () => assertTimelinesAreChains(books));
}
