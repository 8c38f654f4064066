// Reports blind guards: an error in the log when a guard becomes blind, a log line when the guard recovers, and a metric at all
// times.
import { MODES } from '../domain/values/mode.ts';
import type { Instruments } from '../ports/instruments.ts';
import type { BlindGuard, Guards } from '../ports/operations/guards.ts';
import { type Loop, startLoop } from './loop.ts';

export interface ReportGuardsDeps {
  readonly guards: Pick<Guards, 'all' | 'blind'>;
  readonly instruments: Instruments;
  readonly say: (
    loudness: 'info' | 'error',
    message: string,
    detail: Readonly<Record<string, unknown>>,
  ) => void;
  readonly onError: (error: Error) => void;
}

const EVERY_MS = 5_000;
/**
 * After the machine was suspended, every guard is late until its next turn. So a guard is reported only if it is blind at two
 * checks in a row.
 */
const LOOKS = 2;

export function startGuardReport(
  { guards, instruments, say, onError }: ReportGuardsDeps,
  everyMs = EVERY_MS,
): Loop {
  const gauge = instruments.gauge(
    'sliproad_guard_blind',
    '1 while a guard has not completed for three turns, and at least two minutes: the operations that it guards wait.',
    ['guard', 'mode', 'asset'],
  );
  const looks = new Map<string, number>();
  return startLoop({
    everyMs,
    onError,
    turn: async () => {
      const blind = new Map(guards.blind().map((each) => [guardLabelOf(each), each]));
      gauge(
        guards.all().flatMap((facts) =>
          MODES.filter((mode) => facts.mode === undefined || facts.mode === mode).map((mode) => ({
            labels: { guard: facts.name, mode, asset: facts.asset ?? '' },
            value: blind.has(guardLabelOf(facts)) ? 1 : 0,
          })),
        ),
      );
      for (const [name, { problem, sinceMs, mode, asset, stops }] of blind) {
        const seen = (looks.get(name) ?? 0) + 1;
        looks.set(name, seen);
        const since = new Date(sinceMs).toISOString();
        if (seen === LOOKS)
          say('error', 'a guard does not complete: outgoing money waits until it does', {
            ...{ guard: name, mode, asset, stops, since, why: problem ?? 'it does not answer' },
          });
      }
      for (const [name, seen] of looks) {
        if (blind.has(name)) continue;
        looks.delete(name);
        if (seen >= LOOKS) say('info', 'a guard completes again', { guard: name });
      }
    },
  });
}

function guardLabelOf({ name, mode, asset }: Pick<BlindGuard, 'name' | 'mode' | 'asset'>): string {
  return [name, mode, asset].filter((each) => each !== undefined).join(', ');
}
