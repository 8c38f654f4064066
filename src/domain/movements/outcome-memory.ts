// What the service remembers of a rail's answers about an attempt. This memory is part of the attempt's evidence and is
// committed together with the answer, so a crash loses nothing.
import type { OutcomeMemory, RailRefusal } from '../rails/payout-outcome.ts';
import type { Attempt, Movement } from '../records/movement.ts';

type AttemptEvidence = Readonly<Record<string, unknown>>;

interface StoredRefusal {
  readonly reason: string;
  readonly fault: RailRefusal['fault'];
  readonly since_ms: number;
  readonly confirmed_ms: number | null;
}

export function readMemory({ evidence }: Pick<Attempt, 'evidence'>): OutcomeMemory {
  const refused = evidence?.refused as StoredRefusal | undefined;
  return {
    refusal:
      refused === undefined
        ? null
        : {
            ...{ reason: refused.reason, fault: refused.fault },
            ...{ sinceMs: refused.since_ms, confirmedMs: refused.confirmed_ms },
          },
    notFound: (evidence?.not_found as number | undefined) ?? 0,
  };
}

export function mergeMemory(
  { evidence }: Pick<Attempt, 'evidence'>,
  { refusal, notFound }: OutcomeMemory,
  more: AttemptEvidence = {},
): AttemptEvidence | null {
  const { refused: _, not_found: __, needs_people: ___, ...kept } = evidence ?? {};
  const next: AttemptEvidence = {
    ...kept,
    ...(refusal !== null && {
      refused: {
        ...{ reason: refusal.reason, fault: refusal.fault },
        ...{ since_ms: refusal.sinceMs, confirmed_ms: refusal.confirmedMs },
      } satisfies StoredRefusal,
    }),
    ...(notFound > 0 && { not_found: notFound }),
    ...more,
  };
  return Object.keys(next).length === 0 ? null : next;
}

export function findLastOrderMs({ evidence, atMs }: Pick<Attempt, 'evidence' | 'atMs'>): number {
  return (evidence?.ordered_ms as number | undefined) ?? atMs;
}

export function needsPeople({ evidence }: Pick<Attempt, 'evidence'>): boolean {
  return evidence?.needs_people === true;
}

export interface PayoutWait {
  readonly sureAtMs: number | null;
  readonly needsPeople: boolean;
}

export function readPayoutWait(
  { state }: Pick<Movement, 'state'>,
  evidence: Attempt['evidence'],
): PayoutWait {
  const isOpen = state === 'sending' || state === 'unknown';
  const needs = isOpen && needsPeople({ evidence });
  // If people must act, the time at which a refusal would be certain no longer applies.
  const isAsked = isOpen && !needs && evidence?.refused !== undefined;
  const sureAtMs = evidence?.sure_ms;
  return { sureAtMs: isAsked && typeof sureAtMs === 'number' ? sureAtMs : null, needsPeople: needs };
}
