// Measures payouts per second and the cost of each payout on every local network. The benchmark compares one payment per
// network transaction with as many payments as fit into one. Both variants run in turn with the same block interval.
import { randomUUID } from 'node:crypto';
import type { Network } from '../../src/ports/networks/network.ts';
import type { Payment } from '../../src/ports/networks/network-payer.ts';
import { type Ratio, type SuiteResult, spreadRatio } from '../report.ts';
import { type RoundOptions, type Spread, spreadOf } from '../rounds.ts';
import { type OpenNetworks, openLocalNetworks } from './open.ts';
import { type PaidAll, type Place, payAll } from './pay.ts';

type Way = 'one by one' | 'batched';
const WAYS: readonly Way[] = ['one by one', 'batched'];

/** The block interval is half of the interval of `npm run networks`. */
const PACE_MS = 500;
/** Reduces the number of rounds, because a round takes about half a minute. */
const ROUNDS_SHARE = 5;
const TOKENS = 15_000n;
/**
 * How many payments are due at once. Some wallets can have only few transactions in progress. There, a short round gives the
 * same result as a long one, so fewer payments are due in the variant "one by one".
 */
const DUE: Readonly<Record<string, Readonly<Record<Way, number>>>> = {
  Stellar: { 'one by one': 5, batched: 200 },
  Solana: { 'one by one': 200, batched: 200 },
};
const DUE_ELSEWHERE: Readonly<Record<Way, number>> = { 'one by one': 32, batched: 200 };

interface Run extends PaidAll {
  readonly busy: number;
}

interface Fee {
  readonly asset: string;
  readonly fee: Spread;
  readonly opened: Spread;
}

interface NetworksResult extends SuiteResult {
  readonly fees: Readonly<Record<string, Fee>>;
}

export async function networks(options: RoundOptions): Promise<NetworksResult> {
  options.onProgress('starting the local networks');
  const local = await openLocalNetworks(PACE_MS);
  try {
    const rounds = Math.ceil(options.rounds / ROUNDS_SHARE);
    const runs = new Map<string, Run[]>();
    for (const network of local.networks) {
      const place: Place = { last: null };
      await runOnce(local, network, place, 'batched', 2); // warm-up: opens connections and compiles code
      for (let round = 0; round < rounds; round++) {
        for (const way of round % 2 === 0 ? WAYS : WAYS.toReversed()) {
          const name = nameOf(network, way);
          options.onProgress(`round ${round + 1} of ${rounds}: ${name}`);
          const run = await runOnce(local, network, place, way, dueOf(network, way));
          runs.set(name, [...(runs.get(name) ?? []), run]);
        }
      }
    }
    options.onProgress('');
    return report(local.networks, runs, rounds);
  } finally {
    await local.close();
  }
}

const nameOf = ({ name }: Network, way: Way): string => `${name}, ${way}`;
const dueOf = ({ name }: Network, way: Way): number => (DUE[name] ?? DUE_ELSEWHERE)[way];

async function runOnce(
  local: OpenNetworks,
  network: Network,
  place: Place,
  way: Way,
  count: number,
): Promise<Run> {
  const wallets = await local.wallets(network.name, count);
  const payments = wallets.map(
    (to): Payment => ({
      orderId: `mov_${randomUUID()}`,
      about: null,
      to,
      amountMinor: TOKENS * 10n ** BigInt(network.asset.decimals),
      alone: way === 'one by one',
      opensAccount: true,
      from: null,
    }),
  );
  const before = process.cpuUsage();
  const paid = await payAll(network, payments, place);
  const { user, system } = process.cpuUsage(before);
  return { ...paid, busy: (user + system) / 1e6 / paid.seconds };
}

function report(
  all: readonly Network[],
  runs: ReadonlyMap<string, readonly Run[]>,
  rounds: number,
): NetworksResult {
  const of = (network: Network, way: Way) => runs.get(nameOf(network, way))!;
  const rates = (network: Network, way: Way) =>
    of(network, way).map(({ seconds }) => dueOf(network, way) / seconds);
  const each = all.flatMap((network) => WAYS.map((way) => ({ network, way, name: nameOf(network, way) })));
  const fees = Object.fromEntries(
    each.map(({ network, way, name }) => [name, feeOf(network, of(network, way), dueOf(network, way))]),
  );
  const ratios = all.flatMap((network): Ratio[] => [
    {
      name: `${network.name} payouts/s, batched / one by one`,
      aim: 1,
      ...spreadRatio(rates(network, 'batched'), rates(network, 'one by one')),
    },
    { name: `${network.name} fee, one by one / batched`, aim: 1, ...feeRatio(network, of) },
  ]);
  return {
    suite: 'networks',
    notes: [
      ...NOTES(rounds),
      ...each.map(({ network, way, name }) => `${name}: ${feeText(fees[name]!, of(network, way))}`),
    ],
    rates: Object.fromEntries(
      each.map(({ network, way, name }) => [name, timesOf(rates(network, way), of(network, way))]),
    ),
    ratios,
    fees,
  };
}

const NOTES = (rounds: number): readonly string[] => [
  `payouts/s in place of requests/s, and p50, p99 from due to final: all are due at once, until the last one is final`,
  `through the adapter's port as settlement uses it (ready, prepare, broadcast, ask), without the database: envelopes are kept in memory`,
  `local chains in a process of their own, ${PACE_MS} ms a beat: a block (a ledger) each, on Solana 2.5 slots; busy is the paying process`,
  `rounds: ${rounds}, a fifth of --rounds; tokens in a payout: ${TOKENS}; fees at the local chains' prices, to be compared with each other`,
];

function timesOf(perSecond: readonly number[], runs: readonly Run[]) {
  const took = (share: number) =>
    spreadOf(
      runs.map(({ tookMs }) => tookMs.toSorted((a, b) => a - b)[Math.ceil(tookMs.length * share) - 1]!),
    ).median;
  return {
    perSecond: spreadOf(perSecond),
    p50Ms: took(0.5),
    p99Ms: took(0.99),
    serverBusy: spreadOf(runs.map(({ busy }) => busy)).median,
  };
}

function feeOf({ native }: Network, runs: readonly Run[], payouts: number): Fee {
  // This number is only for display. The ledger counts in whole minor units.
  const coins = (minor: bigint) => Number(minor) / 10 ** (native?.decimals ?? 0) / payouts;
  return {
    asset: native?.asset ?? '',
    fee: spreadOf(runs.map(({ feeMinor }) => coins(feeMinor))),
    opened: spreadOf(runs.map(({ openedMinor }) => coins(openedMinor))),
  };
}

function feeRatio(network: Network, of: (network: Network, way: Way) => readonly Run[]): Spread {
  const fees = (way: Way) => of(network, way).map(({ feeMinor }) => Number(feeMinor) / dueOf(network, way));
  return spreadRatio(fees('one by one'), fees('batched'));
}

function feeText({ asset, fee, opened }: Fee, runs: readonly Run[]): string {
  const number = (value: number) => value.toPrecision(3);
  const { envelopes, tookMs } = runs.at(-1)!;
  const rent =
    opened.median === 0 ? '' : ` and ${number(opened.median)} ${asset} for the recipient's account`;
  return `${tookMs.length} due, in ${envelopes} transactions; a payout costs ${number(fee.median)} ${asset}${rent}`;
}
