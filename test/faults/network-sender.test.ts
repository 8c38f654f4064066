// A sender on real chains, killed with kill -9 again and again while it signs, stores, broadcasts, records and asks, and
// started at once. SENDER_KILLS, SENDER_RECIPIENTS, SENDER_NETWORKS and CHAOS_SEED make it larger, or the same again;
// scripts/network-kills.ts runs it at full size.
import { test } from 'node:test';
import { NETWORK_ROWS } from '../../src/adapters/networks/registry.ts';
import {
  type Figures,
  makeProgress,
  noFailureIn,
  SEED,
  sizeOf,
  spread,
  tellFigures,
} from '../support/chaos-figures.ts';
import { type Hit, killAgainAndAgain } from '../support/network-sender-kills.ts';
import {
  assertBooks,
  assertCompleted,
  assertNothingLive,
  assertPaidOnce,
  assertPlaces,
  type Envelope,
  nextPlace,
  readEnvelopes,
  untilSettled,
} from '../support/network-sender-verdict.ts';
import { openWorld } from '../support/network-sender-world.ts';

const KILLS = sizeOf('SENDER_KILLS', 4);
/** On each network. */
const RECIPIENTS = sizeOf('SENDER_RECIPIENTS', 40);
const KNOWN = NETWORK_ROWS.map(({ name }) => name);
const NAMES = (process.env.SENDER_NETWORKS || KNOWN.join(',')).split(',');

test(`threats 40, 41, 42, 43: ${KILLS} kill -9 of a sender that pays ${RECIPIENTS} wallets each on ${NAMES.join(', ')}`, async (t) => {
  t.diagnostic(
    `CHAOS_SEED=${SEED} SENDER_KILLS=${KILLS} SENDER_RECIPIENTS=${RECIPIENTS} SENDER_NETWORKS=${NAMES}`,
  );
  const world = await openWorld(t, { names: NAMES, recipients: RECIPIENTS });
  const firstPlaces = new Map(
    await Promise.all(world.networks.map(async (each) => [each.name, await nextPlace(each)] as const)),
  );
  const beganAt = performance.now();
  const progress = makeProgress();
  const killed = await killAgainAndAgain(world, {
    kills: KILLS,
    seed: SEED,
    onKill: (done) => progress(() => `${done} of ${KILLS} kills`),
  });
  let allHeld = true;
  const holds = async (name: string, promise: () => Promise<void>) => {
    let held = false;
    await t.test(name, async () => {
      await promise();
      held = true;
    });
    allHeld &&= held;
  };
  // What did not come to its end is looked at like the rest: it may have been paid, or paid twice.
  await holds('everything comes to its end', () =>
    untilSettled(world, (completed) =>
      progress(() => `all kills done, ${completed} of ${world.buys.length} buys completed`),
    ),
  );
  await killed.end();
  const envelopes = await readEnvelopes(world);
  tellFigures(t, {
    ...hitFigures(killed.hits),
    'started late': killed.late,
    ...envelopeFigures(envelopes),
    logged: JSON.stringify(countLogged(killed.logs)),
    seconds: Math.round((performance.now() - beganAt) / 1_000),
  });
  await holds('threats 40, 41, 42: every wallet was paid once, says its chain', () => assertPaidOnce(world));
  await holds('every buy is completed', () => assertCompleted(world));
  await holds('one attempt of each landed, and none is left alive', () => assertNothingLive(world));
  await holds('threats 43, 44: no place of a treasury was used twice or left out', () =>
    assertPlaces(world, envelopes, firstPlaces),
  );
  await holds('the books balance, and explain every treasury to the unit', () => assertBooks(world));
  if (allHeld) t.diagnostic(noFailureIn(KILLS, 'kills'));
});

function hitFigures(hits: readonly Hit[]): Figures {
  const counts = Map.groupBy(hits, (hit) => hit);
  return Object.fromEntries(
    [...counts].map(([hit, all]) => [`killed ${hit}`, all.length] as const).toSorted(),
  );
}

function envelopeFigures(envelopes: readonly Envelope[]): Figures {
  return Object.fromEntries(
    NAMES.map((name) => {
      const own = envelopes.filter(({ network }) => network === name);
      const states = [...Map.groupBy(own, ({ state }) => state)].map(
        ([state, all]) => `${all.length} ${state}`,
      );
      const dearer = own.filter(({ versions }) => versions > 1).length;
      return [
        `${name} transactions`,
        `${states.join(', ')}; payments in one ${spread(own.map(({ orders }) => orders))}; ${dearer} signed again`,
      ];
    }),
  );
}

/** What the senders complained of, and how often. */
function countLogged(logs: readonly string[]): Record<string, number> {
  const messages = logs
    .join('\n')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (/"msg":"([^"]*)"/.exec(line)?.[1] ?? line).slice(0, 80));
  return Object.fromEntries(
    [...Map.groupBy(messages, (line) => line)].map(([line, all]) => [line, all.length]),
  );
}
