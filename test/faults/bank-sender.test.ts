// Kills (kill -9) a sender that pays out over two local banks again and again while it reserves, pays, queries and records.
// Each sender is restarted at once, while the banks fail. BANK_KILLS, BANK_PAYOUTS and CHAOS_SEED make the run larger or
// reproduce it; scripts/network-kills.ts runs it at full size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BankWorld, openBankWorld } from '../support/bank-sender.ts';
import { makeProgress, noFailureIn, printFigures, SEED, sizeOf } from '../support/chaos/figures.ts';
import { makeDice, mix } from '../support/dice.ts';
import { startSender } from '../support/network-sender/kills.ts';
import { stretchedTime } from '../support/patience.ts';

const KILLS = sizeOf('BANK_KILLS', 2);
const PAYOUTS = sizeOf('BANK_PAYOUTS', 20);
/** This is longer than a lease, so that a sender keeps its leased work. */
const HELD_MS = 1_500;
const LONGEST_CLOCK_MS = 1_500;
/** The test does not kill the last sender. This is the maximum time that the last sender works while the banks still fail. */
const TROUBLED_MS = KILLS >= 20 ? 30_000 : 1_000;
const LOOK_MS = 200;
/** If no payout ends within this time on an idle machine, the test fails. */
const PATIENCE_MS = 60_000;

test(`threats 56, 58: ${KILLS} kill -9 of a sender that pays ${PAYOUTS} accounts at two failing banks`, async (t) => {
  t.diagnostic(`CHAOS_SEED=${SEED} BANK_KILLS=${KILLS} BANK_PAYOUTS=${PAYOUTS}`);
  const world = await openBankWorld(t, { payouts: PAYOUTS, seed: mix(SEED, 1) % 1_000_000 });
  const dice = makeDice(`${SEED} bank kills`);
  const progress = makeProgress();
  const beganAt = performance.now();
  world.fail();
  for (let kill = 1; kill <= KILLS; kill++) {
    await world.bringUpTo(Math.floor((PAYOUTS * kill) / (KILLS + 1)));
    const sender = startSender(world, null);
    await sender.settling;
    await sleep(dice.below(LONGEST_CLOCK_MS));
    sender.kill();
    const { code, signal } = await sender.ended;
    assert.equal(signal, 'SIGKILL', `a sender ended by itself with ${code}: ${sender.stderr()}`);
    progress(() => `${kill} of ${KILLS} kills`);
  }
  await world.bringUpTo(PAYOUTS);
  const last = startSender(world, null);
  t.after(async () => {
    last.kill();
    await last.ended;
  });
  await last.settling;
  await sleep(TROUBLED_MS);
  world.banks.clearFaults();
  await untilCompleted(world, (done) =>
    progress(() => `all kills done, ${done} of ${PAYOUTS} sells completed`),
  );
  printFigures(t, {
    ...(await figuresOf(world)),
    seconds: Math.round((performance.now() - beganAt) / 1_000),
  });
  await t.test('every sell completes', async () => assert.equal(await completed(world), PAYOUTS));
  await t.test('every account was paid once, according to the books of the banks', () =>
    assertPaidOnce(world),
  );
  await t.test('nothing stays reserved, and the ledger matches each bank account', () => assertBooks(world));
  t.diagnostic(noFailureIn(KILLS, 'kills'));
});

/** Waits until all payouts are completed, or until nothing changes any more. */
async function untilCompleted(world: BankWorld, onLook: (done: number) => void): Promise<void> {
  let best = -1;
  for (let time = stretchedTime(PATIENCE_MS); !time.isUp(); await sleep(LOOK_MS)) {
    await hasten(world);
    const done = await completed(world);
    onLook(done);
    if (done === PAYOUTS) return;
    if (done > best) time = stretchedTime(PATIENCE_MS);
    best = Math.max(best, done);
  }
}

/** The pauses between two queries, and the time until a refusal is certain, grow to minutes, so the test skips them. */
async function hasten({ foundation: { database } }: BankWorld): Promise<void> {
  const soon = `due_at = now() where due_at > now() + interval '${HELD_MS} ms'`;
  await database.query({ text: `update movements set ${soon}` });
  await database.query({ text: `update transaction_states set ${soon} and state = 'deposited'` });
  await database.query({
    text: `update movement_attempts set evidence = jsonb_set(jsonb_set(evidence,
        '{refused,since_ms}', to_jsonb((evidence->'refused'->>'since_ms')::float8 - 60000)),
        '{refused,confirmed_ms}', coalesce(to_jsonb((evidence->'refused'->>'confirmed_ms')::float8 - 60000), 'null'))
      where state = 'unknown' and evidence ? 'refused'`,
  });
}

async function completed({ foundation }: BankWorld): Promise<number> {
  const { rows } = await foundation.database.query<{ count: number }>({
    text: `select count(*)::int from transaction_states where state = 'completed'`,
  });
  return rows[0]!.count;
}

async function figuresOf({ foundation }: BankWorld): Promise<Record<string, string>> {
  const { rows } = await foundation.database.query<{ rail: string; state: string; count: number }>({
    text: 'select rail, state, count(*)::int from movement_attempts group by 1, 2 order by 1, 2',
  });
  return Object.fromEntries(rows.map(({ rail, state, count }) => [`${rail} ${state}`, String(count)]));
}

function assertPaidOnce({ banks, sells }: BankWorld): void {
  const books = banks.books();
  const paid = Object.values(books).flatMap(({ payouts }) =>
    payouts
      .filter(({ state }) => state === 'paid')
      .map(({ accountNumber, amount }) => `${accountNumber} ${amount}`),
  );
  const wanted = sells.map(({ accountNumber, amountMinor }) => `${accountNumber} ${nairaText(amountMinor)}`);
  assert.deepEqual(paid.toSorted(), wanted.toSorted());
}

function nairaText(minor: bigint): string {
  return `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
}

async function assertBooks({ foundation, sells }: BankWorld): Promise<void> {
  const { rows } = await foundation.database.query<{ name: string; sum: string }>({
    text: `select a.name, sum(p.amount_minor)::text as sum from postings p join accounts a on a.id = p.account_id
      where a.mode = 'live' and a.name in ('bank_reserved', 'payouts_due', 'redeemed', 'overpaid')
      group by 1 having sum(p.amount_minor) <> 0 order by 1`,
  });
  const soldMinor = sells.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  assert.deepEqual(rows, [{ name: 'redeemed', sum: String(soldMinor) }]);
}
