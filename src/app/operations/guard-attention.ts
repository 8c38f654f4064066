// Attention items for checks that do not run: a guard that does not complete is as serious as a problem that it would find.
import type { Mode } from '../../domain/values/mode.ts';
import type { Guards } from '../../ports/operations/guards.ts';
import type { Severity } from './attention-words.ts';

export interface GuardAttention {
  readonly kind: 'guard';
  readonly severity: Severity;
  readonly title: string;
  readonly what: string;
  readonly sinceMs: number;
}

const WAITING_SENTENCES = {
  all: 'Outgoing money waits until the check completes again.',
  tokens: 'Token sends wait until the check completes again.',
  nothing: 'No money waits for the check.',
} as const;

/** The attention lines of the guards of this process. */
export function listGuardAttention(
  { guards }: { readonly guards: Pick<Guards, 'blind'> },
  mode: Mode,
): readonly GuardAttention[] {
  return guards
    .blind()
    .filter((each) => each.mode === undefined || each.mode === mode)
    .map(({ name, asset, stops, sinceMs, problem }) => {
      const why = problem === null ? 'It does not answer.' : `It fails: ${problem}.`;
      return {
        ...{ kind: 'guard', severity: 'critical', sinceMs },
        title: `${name} does not complete${asset === undefined ? '' : ` (${asset})`}`,
        what: `${why} ${WAITING_SENTENCES[stops]} See the log of the service.`,
      };
    });
}
