// Kills (kill -9) a sender on real chains again and again while it signs, stores, broadcasts, records and queries. Each sender
// is restarted at once, while the chains and their providers fail. SENDER_KILLS, SENDER_RECIPIENTS, SENDER_NETWORKS,
// SENDER_FAULTS and CHAOS_SEED make the run larger or reproduce it; scripts/network-kills.ts runs it at full size.
import { test } from 'node:test';
import { NETWORK_ROWS } from '../../src/adapters/networks/registry.ts';
import {
  type Figures,
  makeProgress,
  noFailureIn,
  printFigures,
  SEED,
  sizeOf,
  spread,
} from '../support/chaos/figures.ts';
import { FAULT_LEVELS, type FaultCount, startFaults } from '../support/network-sender/faults.ts';
import { type Hit, killAgainAndAgain, LONG_RUN } from '../support/network-sender/kills.ts';
import {
  assertBooks,
  assertCompleted,
  assertNothingLive,
  assertPaidOnce,
  assertPlaces,
  type Envelope,
  longestWait,
  nextPlace,
  readEnvelopes,
  settledWithin,
  untilSettled,
} from '../support/network-sender/verdict.ts';
import { openWorld } from '../support/network-sender/world.ts';

const KILLS = sizeOf('SENDER_KILLS', 1);
/** The number of recipients on each network. */
const RECIPIENTS = sizeOf('SENDER_RECIPIENTS', 12);
const KNOWN = NETWORK_ROWS.map(({ name }) => name);
const NAMES = (process.env.SENDER_NETWORKS || KNOWN.join(',')).split(',');
/** The test does not kill the last sender. This is how long the last sender works while the networks still fail. */
const TROUBLED_MS = KILLS >= LONG_RUN ? 30_000 : 2_000;
const FAULTS = process.env.SENDER_FAULTS || 'some';

test(`threats 40, 41, 42, 43, 44, 45: ${KILLS} kill -9 of a sender that pays ${RECIPIENTS} wallets on each of ${NAMES.join(', ')}, with ${FAULTS} faults`, async (t) => {
  t.diagnostic(
    `CHAOS_SEED=${SEED} SENDER_KILLS=${KILLS} SENDER_RECIPIENTS=${RECIPIENTS} SENDER_NETWORKS=${NAMES} SENDER_FAULTS=${FAULTS}`,
  );
  const level = FAULT_LEVELS.find((each) => each === FAULTS);
  if (level === undefined) throw new Error(`SENDER_FAULTS must be one of ${FAULT_LEVELS}, not ${FAULTS}.`);
  const world = await openWorld(t, { names: NAMES, recipients: RECIPIENTS });
  const firstPlaces = new Map(
    await Promise.all(world.networks.map(async (each) => [each.name, await nextPlace(each)] as const)),
  );
  const beganAt = performance.now();
  const progress = makeProgress();
  const faults = startFaults(world.networks, { level, seed: SEED, slow: KILLS >= LONG_RUN });
  t.after(() => faults.end());
  const killed = await killAgainAndAgain(world, {
    kills: KILLS,
    seed: SEED,
    onKill: (done) => progress(() => `${done} of ${KILLS} kills`),
  });
  if (level !== 'none') await settledWithin(world, TROUBLED_MS);
  const faultCounts = await faults.end();
  const putOff = await longestWait(world);
  let allHeld = true;
  const holds = async (name: string, promise: () => Promise<void>) => {
    let held = false;
    await t.test(name, async () => {
      await promise();
      held = true;
    });
    allHeld &&= held;
  };
  // The test checks unfinished payments like the others, because they may have been paid once or twice.
  await holds('every payment ends', () =>
    untilSettled(world, (completed) =>
      progress(() => `all kills done, ${completed} of ${world.buys.length} buys completed`),
    ),
  );
  await killed.end();
  const envelopes = await readEnvelopes(world);
  printFigures(t, {
    ...hitFigures(killed.hits),
    'started late': killed.late,
    ...faultFigures(faultCounts),
    ...envelopeFigures(envelopes),
    'put off': `for up to ${putOff} s when all was well again`,
    logged: JSON.stringify(countLogged(killed.logs)),
    seconds: Math.round((performance.now() - beganAt) / 1_000),
  });
  await holds('threats 40, 41, 42: every wallet was paid once, according to its chain', () =>
    assertPaidOnce(world),
  );
  await holds('every buy is completed', () => assertCompleted(world));
  await holds('one attempt of each payment landed, and no other can still land', () =>
    assertNothingLive(world),
  );
  await holds('threats 43, 44: no sequence number of a treasury was used twice or skipped', () =>
    assertPlaces(world, envelopes, firstPlaces),
  );
  await holds('the books balance, and match every treasury to the unit', () => assertBooks(world));
  if (allHeld) t.diagnostic(noFailureIn(KILLS, 'kills'));
});

function hitFigures(hits: readonly Hit[]): Figures {
  const counts = Map.groupBy(hits, (hit) => hit);
  return Object.fromEntries(
    [...counts].map(([hit, all]) => [`killed ${hit}`, all.length] as const).toSorted(),
  );
}

function faultFigures(counts: readonly FaultCount[]): Figures {
  if (FAULTS === 'none') return {};
  const figures = NAMES.map((network) => {
    const own = counts.filter((each) => each.network === network && each.begun > 0);
    const text = own.map(({ name, begun, met }) => `${name} ${begun} (met ${met})`).join(', ');
    return [`${network} faults`, text || 'none'];
  });
  const listOf = (some: readonly FaultCount[]) =>
    some.map(({ network, name }) => `${network}: ${name}`).join(', ') || 'none';
  return {
    ...Object.fromEntries(figures),
    'faults not met': listOf(counts.filter(({ begun, met }) => begun > 0 && met === 0)),
    'faults not drawn': listOf(counts.filter(({ begun }) => begun === 0)),
  };
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
