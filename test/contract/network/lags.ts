// Defines the part of a network's contract about providers whose responses are from different times. A status may be older than
// the height, or an account older than the status. A cache may repeat "not found" for minutes, and a load balancer may change
// servers during a query. The network never reports a payment in a block as dead, and finds it in the end.
import assert from 'node:assert/strict';
import { LAG_PATH_SETS, LAG_SERVERS } from '../../../local-networks/lag.ts';
import type { SendStatus } from '../../../src/ports/networks/network-payer.ts';
import {
  assertReceived,
  type Case,
  type ContractHarness,
  eventually,
  LARGE_NAIRA,
  naira,
  passSome,
  payment,
} from './case.ts';
import type { Lag } from './harness.ts';
import { makePayer } from './payer.ts';

const LAGS: readonly Lag[] = LAG_PATH_SETS.flatMap((paths) =>
  (['one', 'both'] as const).flatMap((providers) =>
    LAG_SERVERS.map((servers): Lag => ({ paths, providers, servers })),
  ),
);

/** `CONTRACT_LAGS=all` plays every lag in every case. Otherwise the slower cases play only the lags that differ most. */
const EVERY = process.env.CONTRACT_LAGS === 'all';

/**
 * Returns half of the lags, in which every pair of paths, providers and servers still occurs. The lagging provider changes with
 * each set of paths and each kind of server.
 */
export function inPairs(lags: readonly Lag[]): readonly Lag[] {
  if (EVERY) return lags;
  const sets = [...new Set(lags.map(({ paths }) => paths))];
  return lags.filter(({ paths, providers, servers }) => {
    const place = sets.indexOf(paths) + LAG_SERVERS.indexOf(servers);
    return providers === (place % 2 === 0 ? 'both' : 'one');
  });
}

const nameOf = ({ paths, providers, servers }: Lag) =>
  `${paths.join(' and ')} behind at ${providers} provider(s), ${servers}`;

/** Asserts that this status would not make the service sign the payment again or alert people. */
function assertOpen({ kind }: SendStatus, lag: Lag): void {
  assert.match(kind, /^(pending|included|unknown|stuck|final)$/, nameOf(lag));
}

async function landsUnseen(harness: ContractHarness, lag: Lag, amountMinor: bigint): Promise<void> {
  const payer = makePayer(harness);
  const order = payment(harness, { to: await harness.wallet(), amountMinor });
  const [send] = (await payer.sign([order])).stored;
  const bytes = send!.versions[0]!;
  const cleared = await harness.lag!(lag);
  await payer.broadcast(send!);
  await eventually(
    harness,
    async () => {
      assertOpen(await harness.network.ask(send!), lag);
      return harness.received(order.to);
    },
    (received) => received === amountMinor,
  );
  if (bytes.bound !== null) await harness.untilExpired(bytes);
  const elsewhere = await harness.restarted();
  for (let step = 0; step < 6; step++) {
    assertOpen(await harness.network.ask(send!), lag);
    assertOpen(await elsewhere.ask(send!), lag);
    await harness.pass();
  }
  await cleared();
  assert.equal((await payer.settle(send!)).kind, 'final', nameOf(lag));
  await passSome(harness, 2);
  await assertReceived(harness, [order]);
}

/** One payment never gets into a block. Whatever the providers respond in the meantime, the service pays it once in the end. */
async function neverLands(harness: ContractHarness, lag: Lag): Promise<void> {
  const payer = makePayer(harness);
  const order = payment(harness, { to: await harness.wallet() });
  const [send] = (await payer.sign([order])).stored;
  const bytes = send!.versions[0]!;
  await harness.meet('dropped', bytes);
  const cleared = await harness.lag!(lag);
  await payer.broadcast(send!);
  if (bytes.bound !== null) await harness.untilExpired(bytes);
  for (let step = 0; step < 4; step++) {
    await payer.ask(send!);
    await harness.pass();
  }
  await cleared();
  if (bytes.bound === null) await payer.broadcast(send!);
  const status = await payer.settle(send!);
  assert.equal(status.kind, bytes.bound === null ? 'final' : 'dead', nameOf(lag));
  if (status.kind === 'dead') assert.equal((await payer.pay([{ ...order, alone: true }])).paid.length, 1);
  await passSome(harness);
  await assertReceived(harness, [order]);
}

const canLag = ({ lag }: ContractHarness) => lag !== undefined;

export const LAG_CASES: readonly Case[] = [
  ...LAG_SERVERS.map(
    (servers): Case => ({
      title: `threat 42: what landed is never dead while paths are behind each other (${servers})`,
      needs: canLag,
      run: async (harness) => {
        const small = naira(harness.network, 15n);
        for (const lag of inPairs(LAGS).filter((each) => each.servers === servers))
          await landsUnseen(harness, lag, small);
      },
    }),
  ),
  {
    title: 'threat 42: nor is a large payment',
    needs: canLag,
    run: async (harness) => {
      const large = naira(harness.network, LARGE_NAIRA);
      const hardest = (lag: Lag) => lag.providers === 'both' && lag.paths.length !== 2;
      for (const lag of LAGS.filter((each) => each.paths.includes('status') && (EVERY || hardest(each))))
        await landsUnseen(harness, lag, large);
    },
  },
  {
    title: 'threat 42: what never landed is dead once all paths are up to date, and is paid once',
    needs: (harness) => canLag(harness) && harness.troubles.has('dropped'),
    run: async (harness) => {
      const hardest = (lag: Lag) => lag.providers === 'both' && lag.servers !== 'random';
      for (const lag of LAGS.filter((each) => EVERY || hardest(each))) await neverLands(harness, lag);
    },
  },
];
