// What goes wrong on the local Stellar ledger, ready to be drawn from: at its providers, and on the way into a ledger. What
// is in a closed ledger stays there.
import {
  awaited,
  counted,
  type Draw,
  makeWeakOne,
  NEXT,
  PAST_PATIENCE_MS,
  type Trouble,
  WHILE,
} from '../trouble.ts';
import type { FaultScope, StellarFault } from './faults.ts';
import type { RunningStellarLedger } from './server.ts';

/** The second provider is told where the first one fails. */
const PROVIDERS = 2;
const STATUSES = [429, 500, 502, 503, 504] as const;
/** So long after its last second a payment counts as dead, with some to spare on either side. */
const AFTERWARDS_MS = [8_000, 20_000] as const;

export function stellarTroubles({ ledger, faults, urls }: RunningStellarLedger): readonly Trouble[] {
  const weakOne = makeWeakOne();
  const add = (fault: StellarFault, scope: FaultScope) => {
    const active = faults.add(fault, scope);
    return counted({ met: () => active.hits, clear: active.clear }, scope.next);
  };
  const onSends = (name: string, fault: (draw: Draw) => StellarFault): Trouble => ({
    name,
    ...NEXT,
    begin: (draw) => add(fault(draw), { on: 'submit', next: draw(1, PROVIDERS) }),
  });
  const onWeakOne = (name: string, fault: (draw: Draw) => StellarFault): Trouble => ({
    name,
    ...WHILE,
    begin: (draw) => weakOne.begin(draw, (provider) => add(fault(draw), { url: urls[provider] })),
  });
  return [
    onSends('answer cut after a send', () => ({ kind: 'lost_answer' })),
    onSends('504 though a send landed', () => ({ kind: 'timeout_but_lands' })),
    {
      name: 'sends dropped until they expire',
      ...NEXT,
      // There is one transaction at a time: all others wait behind it.
      slow: true,
      begin: (draw) => {
        const dropped = faults.add({ kind: 'drop' }, { on: 'submit' });
        const afterwardsMs = draw(...AFTERWARDS_MS);
        // As if ledgers had closed without it for so long.
        const expire = async () => {
          const lost = faults.newest;
          if (dropped.hits === 0 || lost === undefined) return 0;
          ledger.advance(Math.max(0, Number(lost.inner.maxTime) * 1_000 + afterwardsMs - ledger.now()));
          return dropped.hits;
        };
        return awaited(expire, { met: () => dropped.hits, clear: dropped.clear });
      },
    },
    onSends('send late', (draw) => ({ kind: 'delay', delayMs: draw(200, 3_000) })),
    {
      ...onSends('send later than anybody waits', () => ({ kind: 'delay', delayMs: PAST_PATIENCE_MS })),
      slow: true,
    },
    {
      name: 'answers late',
      ...WHILE,
      begin: (draw) => add({ kind: 'delay', delayMs: draw(20, 400) }, { on: 'read' }),
    },
    onWeakOne('provider down', (draw) =>
      draw(0, 1) === 0
        ? { kind: 'cut' }
        : { kind: 'status', status: STATUSES[draw(0, STATUSES.length - 1)]! },
    ),
    onWeakOne('provider behind', (draw) => ({ kind: 'lag', ledgers: draw(1, 10) })),
  ];
}
