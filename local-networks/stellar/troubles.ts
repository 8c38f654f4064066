// The troubles of the local Stellar ledger, from which a run selects at random. They affect its providers, and transactions
// that are not yet in a ledger. A closed ledger never changes.
import { LAG_PATH_SETS, LAG_SERVERS, type LagPath } from '../lag.ts';
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
import type { StellarFault, StellarFaultScope } from './faults.ts';
import type { RunningStellarLedger } from './server.ts';

/** If the first provider fails, the client also sends the payment to the second provider. */
const PROVIDERS = 2;
const STATUSES = [429, 500, 502, 503, 504] as const;
/**
 * How many milliseconds after the expiry of a payment the next ledger closes. Such a ledger proves that the payment is lost.
 */
const AFTERWARDS_MS = [1_000, 20_000] as const;
/**
 * For this many ledgers, other users offer twice as much as a pending payment. The payment then offers more, or waits until the
 * ledgers have space again.
 */
const FULL_LEDGERS = [4, 12] as const;
/** How far some paths lag behind other paths, and for how long. */
const BEHIND_MS = [2_000, 30_000] as const;
const BEHIND_LASTS_MS = [3_000, 20_000] as const;
const ALL: readonly LagPath[] = ['status', 'height', 'account', 'history'];

function combineTroubles(begun: readonly BegunTrouble[]): BegunTrouble {
  return {
    met: () => begun.reduce((sum, each) => sum + each.met(), 0),
    over: () => false,
    end: async () => {
      for (const each of begun) await each.end();
    },
  };
}

export function stellarTroubles(network: RunningStellarLedger): readonly Trouble[] {
  const { ledger, faults, urls } = network;
  const weakOne = makeWeakProvider();
  const add = (fault: StellarFault, scope: StellarFaultScope) => {
    const active = faults.add(fault, scope);
    return countedTrouble({ met: () => active.hits, clear: active.clear }, scope.next);
  };
  const onSends = (name: string, fault: (draw: Draw) => StellarFault): Trouble => ({
    name,
    ...LASTS_FOR_NEXT,
    begin: (draw) => add(fault(draw), { on: 'submit', next: draw(1, PROVIDERS) }),
  });
  const onWeakOne = (name: string, fault: (draw: Draw) => StellarFault): Trouble => ({
    name,
    ...LASTS_A_WHILE,
    begin: (draw) => weakOne.begin(draw, (provider) => add(fault(draw), { url: urls[provider] })),
  });
  const behind = (draw: Draw): StellarFault => ({
    kind: 'behind',
    paths: LAG_PATH_SETS[draw(0, LAG_PATH_SETS.length - 1)]!,
    servers: LAG_SERVERS[draw(0, LAG_SERVERS.length - 1)]!,
    lagMs: draw(...BEHIND_MS),
  });
  return [
    onSends('answer cut after a send', () => ({ kind: 'lost_answer' })),
    onSends('504 though a send landed', () => ({ kind: 'timeout_but_lands' })),
    makeDroppedUntilExpired(network),
    onSends('send late', (draw) => ({ kind: 'delay', delayMs: draw(200, 3_000) })),
    {
      ...onSends('send later than its sender waits', () => ({ kind: 'delay', delayMs: PAST_PATIENCE_MS })),
      slow: true,
    },
    {
      name: 'answers late',
      ...LASTS_A_WHILE,
      begin: (draw) => add({ kind: 'delay', delayMs: draw(20, 400) }, { on: 'read' }),
    },
    makeFullLedgers(network),
    onWeakOne('provider down', (draw) =>
      draw(0, 1) === 0
        ? { kind: 'cut' }
        : { kind: 'status', status: STATUSES[draw(0, STATUSES.length - 1)]! },
    ),
    onWeakOne('provider behind', (draw) => ({ kind: 'lag', ledgers: draw(1, 10) })),
    { ...onWeakOne('paths of a provider behind each other', behind), lastsMs: BEHIND_LASTS_MS },
    {
      name: 'paths of both providers behind each other',
      when: 'while',
      lastsMs: BEHIND_LASTS_MS,
      // While this trouble lasts, a client may not find a payment that landed.
      slow: true,
      begin: (draw) => combineTroubles(urls.map((url) => add(behind(draw), { url }))),
    },
    {
      name: 'provider stands still and takes sends',
      ...LASTS_A_WHILE,
      begin: (draw) =>
        weakOne.begin(draw, (provider) => {
          const url = urls[provider];
          const until = ledger.latest.sequence;
          const still: StellarFault = { kind: 'behind', paths: ALL, servers: 'sticky', until };
          return combineTroubles([add(still, { url }), add({ kind: 'drop' }, { url, on: 'submit' })]);
        }),
    },
  ];
}

function makeDroppedUntilExpired({ ledger, faults }: RunningStellarLedger): Trouble {
  return {
    name: 'sends dropped until they expire',
    ...LASTS_FOR_NEXT,
    // Only one transaction is pending at a time, so all other transactions wait behind it.
    slow: true,
    begin: (draw) => {
      const dropped = faults.add({ kind: 'drop' }, { on: 'submit' });
      const afterwardsMs = draw(...AFTERWARDS_MS);
      // Moves the clock past the expiry of the transaction, as if ledgers had closed without it.
      const expire = async () => {
        const lost = faults.newest;
        if (dropped.hits === 0 || lost === undefined) return 0;
        ledger.advance(Math.max(0, Number(lost.inner.maxTime) * 1_000 + afterwardsMs - ledger.now()));
        return dropped.hits;
      };
      return awaitedTrouble(expire, { met: () => dropped.hits, clear: dropped.clear });
    },
  };
}

function makeFullLedgers({ ledger }: RunningStellarLedger): Trouble {
  return {
    name: 'ledgers full of those who offer more',
    ...LASTS_FOR_NEXT,
    begin: (draw) => {
      const before = ledger.heldBack;
      const ledgers = draw(...FULL_LEDGERS);
      ledger.outbid(ledgers);
      return countedTrouble({ met: () => ledger.heldBack - before, clear: () => ledger.surge() }, ledgers);
    },
  };
}
