// The service on banks that strangers wrote: each sell meets one fault, and only the banks' own books say how it went. They pay a
// reference again when it is ordered again, so every order too many is money lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTime, until } from '../support/patience.ts';
import { RAILS } from './banks/books.ts';
import { type Case, heldCases, killedCases, otherCases } from './examination/cases.ts';
import { complaintsAbout, differences, unexplained } from './examination/judge.ts';
import { accountOf, type Sale, type Stage, setStage, untilProbed } from './examination/stage.ts';

interface Sold {
  readonly part: Case;
  readonly sale: Sale;
}

/** A rail that was paused in between is resumed after so many looks in vain. */
const LOOKS_UNTIL_RESUMED = 50;
const MOST_LOOKS = 5;
const ENDED = new Set(['completed', 'refunded', 'on_hold']);

test('no bank pays a sell twice, and none pays one whose tokens went back', async (t) => {
  const stage = await setStage(t);
  const { books } = stage.fleet;
  const sold: Sold[] = [];

  const sell = async (parts: readonly Case[]): Promise<Sold[]> => {
    const first = sold.length + 1;
    const these = parts.map((part, index) => ({ part, number: first + index }));
    for (const { part, number } of these) {
      const plans = { ...part.elsewhere, [part.rail]: part.plan };
      for (const rail of RAILS) stage.fleet.plans.set(rail, accountOf(number), plans[rail] ?? {});
    }
    const made = await Promise.all(
      these.map(async ({ part, number }) => ({ part, sale: await stage.sell({ rail: part.rail, number }) })),
    );
    sold.push(...made);
    return made;
  };
  const untilOrdered = async (some: readonly Sold[]) => {
    let looks = 0;
    const isOrdered = async () => {
      if (some.every(({ sale }) => books.ordersTo(sale.account).length > 0)) return true;
      if (++looks % LOOKS_UNTIL_RESUMED === 0) await stage.resumeRails();
      return false;
    };
    await until('all are ordered', isOrdered, { everyMs: 100 });
  };
  const untilSeen = async (some: readonly Sold[]) => {
    for (const { part, sale } of some) {
      await until(`enough was seen: ${part.rail}, ${part.name}`, () => wasSeen(stage, { part, sale }), {
        everyMs: 100,
      });
    }
  };

  // The banks' own lists are behind their books, and one of them cannot say its balance for a moment.
  stage.fleet.plans.listLag = 2;
  stage.fleet.plans.balanceAway.set('paystack', 1);

  const held = await sell(heldCases());
  await untilSeen(held);

  const killed = await sell(killedCases());
  await untilOrdered(killed);
  await stage.killAndRestart();

  const others = await sell(otherCases());
  await untilOrdered(others);
  const since = performance.now();
  await untilSeen([...killed, ...others]);
  await untilProbed(stage.fleet, since, 1);

  for (const call of books.unknown) t.diagnostic(`a call that is not documented: ${call}`);
  for (const { part, sale } of sold) {
    await t.test(`${part.rail}: ${part.name}`, async () => {
      const state = await stage.stateOf(sale);
      assert.deepEqual(complaintsAbout(sale, { ...part, books, state }), []);
    });
  }
  await t.test('every payment of every bank belongs to a sell', () => {
    assert.deepEqual(
      unexplained(
        books,
        sold.map(({ sale }) => sale),
      ),
      [],
    );
  });
  await t.test('every kobo that left a bank is booked, or set aside for a sell that waits', async () => {
    const sales = sold.map(({ sale }) => sale);
    let found = await differences(stage, sales);
    // A sell that was completed between two readings looks like a difference once.
    for (let looks = 1; looks < MOST_LOOKS && found.length > 0; looks++)
      found = await differences(stage, sales);
    assert.deepEqual(found, []);
  });
  await t.test('no forged event was taken', () => {
    const forged = stage.fleet.notices.filter(({ isForged }) => isForged);
    assert.equal(forged.length, 4);
    assert.ok(forged.every(({ status }) => status === 401));
  });
  await t.test('the ledger adds up', async () => {
    await inTime('the ledger is recounted', stage.command('ledger', 'check'));
  });
});

async function wasSeen(stage: Stage, { part, sale }: Sold): Promise<boolean> {
  if (part.seen === 'watched') return true;
  if (part.seen === 'asked' && stage.fleet.books.asksAbout(sale.account).length >= 2) return true;
  const state = await stage.stateOf(sale);
  return part.seen === 'completed' ? state === 'completed' : ENDED.has(state);
}
