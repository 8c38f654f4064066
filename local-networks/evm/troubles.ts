// The troubles of a local chain of the Ethereum kind, from which a run selects at random. They affect its providers, its pool,
// blocks that are not final yet, and its base fee.
import { numberToHex } from 'viem';
import {
  awaitedTrouble,
  type BegunTrouble,
  countedTrouble,
  type Draw,
  LASTS_A_WHILE,
  LASTS_FOR_NEXT,
  makeWeakProvider,
  PAST_PATIENCE_MS,
  type Trouble,
} from '../trouble.ts';
import type { FaultPlan, ProviderFault } from './faults.ts';
import type { PathsBehindFault } from './lagging-servers.ts';
import type { Reorganisation } from './ledger.ts';
import type { LocalEvmChain } from './start.ts';

const SENDS = { methods: ['eth_sendRawTransaction'] } as const;
/** A client sends every transaction to both providers. */
const PROVIDERS = 2;
const HOW: readonly NonNullable<Reorganisation['transactions']>[] = ['to-pool', 'dropped', 'mined-again'];
/** Long enough for the service to detect that a pending transaction is stuck. */
const DEAR_MS: Trouble['lastsMs'] = [6_000, 10_000];

const SHORTEST_LAG_MS = 2_000;
const LONGEST_LAG_MS = 30_000;
const PATH_SETS: readonly PathsBehindFault['paths'][] = [
  ['status'],
  ['history'],
  ['account'],
  ['height'],
  ['status', 'account'],
  ['status', 'history'],
  ['status', 'account', 'history'],
];

interface TroubleFacts {
  readonly firstBlock: number;
  readonly finalityBlocks: number;
  readonly paceMs: number;
}

type AddFault = (fault: ProviderFault, plan: FaultPlan) => BegunTrouble;

export function evmTroubles(local: LocalEvmChain, settings: TroubleFacts): readonly Trouble[] {
  const { chain, faults } = local;
  const { firstBlock, finalityBlocks } = settings;
  const weakOne = makeWeakProvider();
  const add: AddFault = (fault, plan) => {
    const planned = faults.add(fault, plan);
    return countedTrouble({ met: planned.used, clear: planned.clear }, plan.times);
  };
  const pathsBehind = makePathsBehind(local, settings, add, weakOne);
  const onSends = (name: string, fault: (draw: Draw) => ProviderFault): Trouble => ({
    name,
    ...LASTS_FOR_NEXT,
    begin: (draw) => add(fault(draw), { ...SENDS, times: PROVIDERS * draw(1, 2) }),
  });
  const onWeakOne = (name: string, fault: (draw: Draw) => ProviderFault): Trouble => ({
    name,
    ...LASTS_A_WHILE,
    begin: (draw) => weakOne.begin(draw, (on) => add(fault(draw), { on })),
  });
  return [
    onSends('answer cut after a send', () => ({ kind: 'cut-after' })),
    onSends('error though a send landed', () => ({ kind: 'error-though-landed' })),
    onSends('send dropped', () => ({ kind: 'drop' })),
    onSends('send late', (draw) => ({ kind: 'delay', delayMs: draw(200, 3_000) })),
    {
      ...onSends('send later than its sender waits', () => ({ kind: 'delay', delayMs: PAST_PATIENCE_MS })),
      slow: true,
    },
    {
      name: 'answers late',
      ...LASTS_A_WHILE,
      begin: (draw) => add({ kind: 'delay', delayMs: draw(20, 400), of: 'answer' }, {}),
    },
    onWeakOne('provider down', (draw) =>
      draw(0, 1) === 0 ? { kind: 'cut-before' } : { kind: 'http', status: draw(0, 1) === 0 ? 503 : 429 },
    ),
    onWeakOne('provider behind', (draw) => ({
      kind: 'lag',
      blocks: Math.min(draw(1, 20), chain.head() - firstBlock),
    })),
    // A provider that still responds, but for another chain.
    onWeakOne('provider of another chain', (draw) => ({
      kind: 'lie',
      lie: { about: 'chain', chainId: draw(1, 1_000) },
    })),
    pathsBehind('servers behind each other', ['sticky', 'random', 'switching']),
    pathsBehind('cache repeats that nothing is there', ['cached'], [['status', 'history']]),
    {
      name: 'blocks replaced',
      ...LASTS_FOR_NEXT,
      begin: (draw) => {
        const [spare, how] = [draw(0, finalityBlocks - 1), HOW[draw(0, HOW.length - 1)]!];
        return awaitedTrouble(() => replaceBlocks(local, finalityBlocks, spare, how));
      },
    },
    makeFeeTooLow(local),
  ];
}

/** Some servers at one provider, or at both, have read less of the chain than the other servers. */
function makePathsBehind(
  { chain }: LocalEvmChain,
  { firstBlock, paceMs }: TroubleFacts,
  add: AddFault,
  weakOne: ReturnType<typeof makeWeakProvider>,
) {
  return (
    name: string,
    servers: readonly PathsBehindFault['servers'][],
    sets: readonly PathsBehindFault['paths'][] = PATH_SETS,
  ): Trouble => ({
    name,
    when: 'while',
    lastsMs: [2_000, 6_000],
    begin: (draw) => {
      const paths = sets[draw(0, sets.length - 1)]!;
      const blocks = Math.ceil(draw(SHORTEST_LAG_MS, LONGEST_LAG_MS) / paceMs);
      const fault: ProviderFault = {
        kind: 'paths-behind',
        paths,
        servers: servers[draw(0, servers.length - 1)]!,
        blocks: Math.min(blocks, chain.head() - firstBlock),
      };
      return draw(0, 1) === 0 ? add(fault, {}) : weakOne.begin(draw, (on) => add(fault, { on }));
    },
  });
}

/**
 * Replaces the newest blocks if a block among them that is not final yet has transactions. Returns the number of replaced
 * blocks.
 */
async function replaceBlocks(
  { chain }: LocalEvmChain,
  finalityBlocks: number,
  spare: number,
  transactions: (typeof HOW)[number],
): Promise<number> {
  const head = chain.head();
  for (let depth = 1; depth <= Math.min(finalityBlocks, head); depth++) {
    const block = numberToHex(head + 1 - depth);
    const count = await chain.request<string | null>('eth_getBlockTransactionCountByNumber', [block]);
    if (count === null || Number(count) === 0) continue;
    const deepest = Math.min(finalityBlocks, depth + spare);
    return (await chain.reorganise(deepest, { transactions })).length;
  }
  return 0;
}

function makeFeeTooLow({ chain, faults }: LocalEvmChain): Trouble {
  const usual = chain.baseFee();
  return {
    name: 'fee too low at once',
    when: 'next',
    lastsMs: DEAR_MS,
    begin: (draw) => {
      const dear = faults.add({ kind: 'price-out' }, { times: draw(1, 2) });
      return {
        met: dear.used,
        // The effect lasts until the end of the run.
        over: () => false,
        end: async () => {
          dear.clear();
          await chain.setBaseFee(usual);
        },
      };
    },
  };
}
