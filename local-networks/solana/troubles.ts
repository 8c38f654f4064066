// The troubles of the local Solana chain, from which a run selects at random. They affect its providers, transactions that are
// not yet in a block, and forks that lose.
import { LAG_SERVERS, type LagPath } from '../lag.ts';
import {
  awaitedTrouble,
  countedTrouble,
  type Draw,
  LASTS_A_WHILE,
  LASTS_FOR_NEXT,
  makeWeakProvider,
  PAST_PATIENCE_MS,
  type Trouble,
} from '../trouble.ts';
import { BLOCKHASH_LIFE_BLOCKS } from './blocks.ts';
import type { SolanaFaultScope, SolanaFaults } from './faults.ts';
import type { SolanaServer } from './rpc/server.ts';
import { beginServerLag } from './rpc/server-lags.ts';

/** A client sends every transaction to both providers. */
const PROVIDERS = 2;
const SENDS = { methods: ['sendTransaction'] } as const;
const STATUSES = [429, 500, 503] as const;
/** Sets of lagging paths that could make a client believe that a payment on the chain is lost. */
const BEHIND: readonly (readonly LagPath[])[] = [
  ['status'],
  ['status', 'history'],
  ['account', 'history'],
  ['height'],
  ['status', 'account', 'history'],
];
const BEHIND_MS = [2_000, 30_000] as const;
/** This time can be longer than the validity of a signed transaction, so that some transactions expire unseen. */
const PATHS = { when: 'while', lastsMs: [4_000, 30_000] } as const;

type AddedFault = ReturnType<SolanaFaults['drop']>;

const beginTrouble = (fault: AddedFault, times?: number) =>
  countedTrouble({ met: fault.met, clear: fault }, times);

export function solanaTroubles({ chain, faults, slotEveryMs }: SolanaServer): readonly Trouble[] {
  const { finalizedAfterSlots } = chain.options;
  const weakOne = makeWeakProvider();
  const onSends = (name: string, fault: (scope: SolanaFaultScope, draw: Draw) => AddedFault): Trouble => ({
    name,
    ...LASTS_FOR_NEXT,
    begin: (draw) => {
      const times = PROVIDERS * draw(1, 2);
      return beginTrouble(fault({ ...SENDS, times }, draw), times);
    },
  });
  const onWeakOne = (name: string, fault: (scope: SolanaFaultScope, draw: Draw) => AddedFault): Trouble => ({
    name,
    ...LASTS_A_WHILE,
    begin: (draw) => weakOne.begin(draw, (provider) => beginTrouble(fault({ provider }, draw))),
  });
  return [
    onSends('answer cut after a send', (scope) => faults.loseAnswer(scope)),
    onSends('error though a send landed', (scope) => faults.answerErrorThoughDone(scope)),
    onSends('send dropped', (scope) => faults.drop(scope)),
    {
      name: 'sends dropped until they expire',
      ...LASTS_FOR_NEXT,
      begin: () => {
        const dropped = faults.drop();
        // Lets time pass as if the client had not sent the transaction again for a minute. Then a dropped transaction can no
        // longer land.
        const expire = async () => {
          if (dropped.met() === 0) return 0;
          chain.advance(BLOCKHASH_LIFE_BLOCKS + finalizedAfterSlots + 1);
          return dropped.met();
        };
        return awaitedTrouble(expire, { met: dropped.met, clear: dropped });
      },
    },
    onSends('send late', (scope, draw) => faults.delay(draw(200, 3_000), scope)),
    {
      ...onSends('send later than its sender waits', (scope) => faults.delay(PAST_PATIENCE_MS, scope)),
      slow: true,
    },
    {
      name: 'answers late',
      ...LASTS_A_WHILE,
      begin: (draw) => beginTrouble(faults.delay(draw(20, 400))),
    },
    onWeakOne('provider down', (scope, draw) =>
      faults.answerHttp(STATUSES[draw(0, STATUSES.length - 1)]!, scope),
    ),
    onWeakOne('provider behind', (scope, draw) => faults.lag(draw(2, 60), scope)),
    ...LAG_SERVERS.map(
      (servers): Trouble => ({
        name: `paths behind each other, ${servers}`,
        ...PATHS,
        begin: (draw) => {
          const slots = Math.ceil(draw(...BEHIND_MS) / slotEveryMs);
          const paths = BEHIND[draw(0, BEHIND.length - 1)]!;
          const providers = ([[0], [1], [0, 1]] as const)[draw(0, 2)]!;
          const seed = draw(1, 1_000_000);
          return countedTrouble(
            beginServerLag(faults, { paths, providers, servers, slots: () => slots, seed }),
          );
        },
      }),
    ),
    onSends('fork lost', (scope, draw) => faults.forkAway(draw(1, finalizedAfterSlots - 1), scope)),
  ];
}
