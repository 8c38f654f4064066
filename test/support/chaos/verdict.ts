// The end of a chaos run: all work is finished, the services stop normally, and the books are checked.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { DescribedFoundation } from '../../../src/wire/foundation.ts';
import { type Books, readBooks } from './books.ts';
import { awaitEndings, stragglersIn } from './endings.ts';
import { describe } from './explain.ts';
import { type Figures, SEED } from './figures.ts';
import {
  assertHeldIsAccounted,
  assertLedgerIsTheWorld,
  assertLedgerSound,
  assertTimelinesAreChains,
} from './ledger.ts';
import { assertPaidOnce } from './payments.ts';
import { assertCreditsUsedOnce, assertDepositsUsedOnce } from './receipts.ts';
import { FAULT_PERCENT, PROCESSES, type Stage } from './stage.ts';

/**
 * Waits until every accepted lifecycle has ended, and then until all services have stopped. Returns the records of the service
 * and of the outside world.
 */
export async function settle(t: TestContext, stage: Stage): Promise<Books> {
  const { foundation, lifecycles, fleet, witness } = stage;
  await fleet.whole();
  const unfinished = await awaitEndings(foundation.connection, lifecycles);
  t.diagnostic(`logged: ${JSON.stringify(fleet.troubles())}`);
  if (unfinished.stragglers.length + unfinished.open.length > 0) {
    assert.fail(`CHAOS_SEED=${SEED}: ${await describe(foundation.connection, unfinished)}`);
  }
  await witness.stop();
  fleet.check();
  for (const ended of await fleet.stop()) assert.deepEqual(ended, { code: 0, signal: null });
  return readBooks(foundation.connection);
}

export function commonFigures(stage: Stage, books: Books): Figures {
  const { clients, witness, lifecycles, fleet } = stage;
  const { refused, lost, away } = clients.undone;
  return {
    seed: SEED,
    database: stage.durability,
    processes: PROCESSES,
    restarts: fleet.restarts(),
    lifecycles: lifecycles.length,
    accepted: clients.acceptedIds.size,
    ended: books.transactions.length - stragglersIn(books, lifecycles).length,
    'seen to have ended, over HTTP': witness.seen(),
    'requests asked again': `${refused} refused, ${lost} without an answer, ${away} asked to come later`,
    faults: `${FAULT_PERCENT} of 100 calls to bank and networks; ${mishapsIn(books)} left a trace in their books`,
    seconds: Math.round((performance.now() - stage.beganAt) / 1_000),
  };
}

function mishapsIn({ transfers, arrivals, payouts, lines }: Books): number {
  return [
    transfers.filter(({ fate }) => fate !== 'lands'),
    arrivals.filter(({ fate }) => fate !== 'settles'),
    payouts.filter(({ fate }) => fate === 'fails'),
    lines.filter(({ kind }) => kind !== 'credit'),
  ].flat().length;
}

/** Checks every promise as a separate test. Returns whether all tests passed. */
export async function judge(t: TestContext, stage: Stage, books: Books): Promise<boolean> {
  const { foundation, lifecycles, clients, witness } = stage;
  const tokens = await tokensOf(foundation);
  const decimals = new Map(tokens.map((token) => [token.network, token.decimals]));
  let allHeld = true;
  const holds = async (name: string, promise: () => void) => {
    let held = false;
    await t.test(name, () => {
      promise();
      held = true;
    });
    allHeld &&= held;
  };
  await holds(
    'threat 30: every accepted reference is stored once, under the id that the answer named',
    () => {
      const stored = books.transactions.map(({ reference, id }) => [reference, id]);
      assert.equal(stored.length, lifecycles.length);
      assert.deepEqual(new Map(stored as [string, string][]), new Map(clients.acceptedIds));
    },
  );
  await holds('every accepted lifecycle has ended, and no outcome shown to a client has changed', () => {
    assert.deepEqual(stragglersIn(books, lifecycles), []);
    witness.assertStillSo(books.transactions);
  });
  await holds(
    'threats 40, 41, 42, 56, 57: no payee is paid twice, and only completed transactions were paid',
    () => assertPaidOnce(books, decimals),
  );
  await holds(
    'threats 17, 18, 19, 52, 55: every incoming payment is counted once and pays at most one transaction',
    () => {
      assertCreditsUsedOnce(books);
      assertDepositsUsedOnce(books, decimals);
    },
  );
  await holds('the ledger sums to zero, and contains only finished or held amounts', () => {
    assertLedgerSound(books);
    assertHeldIsAccounted(books);
  });
  await holds('the ledger equals the balances of the bank and the networks', () =>
    assertLedgerIsTheWorld(books, tokens),
  );
  await holds('every timeline is a chain of state transitions', () => assertTimelinesAreChains(books));
  return allHeld;
}

function tokensOf({ simulation }: DescribedFoundation) {
  return Promise.all(
    simulation.networks.map(async ({ name, asset, treasuryMinor }) => ({
      network: name,
      ...asset,
      treasuryMinor: await treasuryMinor(),
    })),
  );
}
