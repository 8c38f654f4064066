// Runs the examination: starts sells in three waves, and waits until each sell was watched long enough.
import { until } from '../../support/patience.ts';
import { RAILS } from '../banks/books.ts';
import { type Case, heldCases, killedCases, otherCases } from './cases.ts';
import { accountOf, type Sale, type Stage, untilProbed } from './stage.ts';

export interface Sold {
  readonly part: Case;
  readonly sale: Sale;
}

/** If a rail was paused in the meantime, it is resumed after this many unsuccessful checks. */
const LOOKS_UNTIL_RESUMED = 50;
const ENDED = new Set(['completed', 'refunded', 'on_hold']);

export async function runExamination(stage: Stage): Promise<readonly Sold[]> {
  // The banks' own lists lag behind their books, and one bank cannot report its balance for a moment.
  stage.fleet.plans.listLag = 2;
  stage.fleet.plans.balanceAway.set('paystack', 1);

  const held = await sellAll(stage, heldCases(), 1);
  await untilSeen(stage, held);

  const killed = await sellAll(stage, killedCases(), 1 + held.length);
  await untilOrdered(stage, killed);
  await stage.killAndRestart();

  const others = await sellAll(stage, otherCases(), 1 + held.length + killed.length);
  await untilOrdered(stage, others);
  const since = performance.now();
  await untilSeen(stage, [...killed, ...others]);
  await untilProbed(stage.fleet, since, 1);
  return [...held, ...killed, ...others];
}

function sellAll(stage: Stage, parts: readonly Case[], first: number): Promise<Sold[]> {
  return Promise.all(
    parts.map(async (part, index) => {
      const number = first + index;
      const plans = { ...part.elsewhere, [part.rail]: part.plan };
      for (const rail of RAILS) stage.fleet.plans.set(rail, accountOf(number), plans[rail] ?? {});
      return { part, sale: await stage.sell({ rail: part.rail, number }) };
    }),
  );
}

async function untilOrdered(stage: Stage, some: readonly Sold[]): Promise<void> {
  const { books } = stage.fleet;
  let looks = 0;
  const isOrdered = async () => {
    if (some.every(({ sale }) => books.ordersTo(sale.account).length > 0)) return true;
    if (++looks % LOOKS_UNTIL_RESUMED === 0) await stage.resumeRails();
    return false;
  };
  await until('all are ordered', isOrdered, { everyMs: 100 });
}

async function untilSeen(stage: Stage, some: readonly Sold[]): Promise<void> {
  for (const sold of some) {
    const what = `enough was seen: ${sold.part.rail}, ${sold.part.name}`;
    await until(what, () => wasSeen(stage, sold), { everyMs: 100 });
  }
}

async function wasSeen(stage: Stage, { part, sale }: Sold): Promise<boolean> {
  if (part.seen === 'watched') return true;
  if (part.seen === 'asked' && stage.fleet.books.asksAbout(sale.account).length >= 2) return true;
  const state = await stage.stateOf(sale);
  return part.seen === 'completed' ? state === 'completed' : ENDED.has(state);
}
