// Protects the audit log while the service runs. It stores digests of the activity of keys and verifies new entries. Once a day
// it writes the head of the audit log into the service's log, so that an external copy of that log can keep it.
import { verifyEntriesSince } from '../app/audit/verify-audit.ts';
import { EMPTY_LOG_HEAD } from '../domain/audit/audit-chain.ts';
import type { AuditStore } from '../ports/audit.ts';
import type { Clock } from '../ports/clock.ts';
import type { Instruments } from '../ports/instruments.ts';
import type { Guards } from '../ports/operations/guards.ts';
import { type Loop, startLoop } from './loop.ts';

const VERIFY_EVERY_MS = 10_000;
/**
 * The maximum number of audit entries that one turn verifies. After a start, the service verifies the old entries step by step.
 */
const MOST_AT_ONCE = 2_000;

export interface WatchAuditDeps {
  readonly audit: AuditStore;
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly guards: Pick<Guards, 'guard'>;
  readonly digestEveryMs: number;
  readonly verifyEveryMs?: number;
  readonly onHead: (head: { readonly no: number; readonly hash: string }) => void;
  readonly onTrouble: (message: string, detail: Readonly<Record<string, unknown>>) => void;
  readonly onError: (error: Error) => void;
}

export function startAuditWatch(deps: WatchAuditDeps): Loop {
  const loops = [startAuditDigests(deps), startAuditVerification(deps)];
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

function startAuditDigests({ audit, clock, guards, digestEveryMs: everyMs, onError }: WatchAuditDeps): Loop {
  const guard = guards.guard({ name: 'The digest of the audit log', everyMs, stops: 'all' });
  let stopping = false;
  const loop = startLoop({
    everyMs,
    guard,
    turn: async () => {
      while (!stopping && (await audit.append(clock.now())).more) guard.progressed();
    },
    onError,
  });
  return {
    stop: () => {
      stopping = true;
      return loop.stop();
    },
  };
}

function startAuditVerification(deps: WatchAuditDeps): Loop {
  const { audit, clock, instruments, onHead, onTrouble, onError } = deps;
  const entries = instruments.gauge(
    'sliproad_audit_verified_entries',
    'Entries of the audit log that this process has verified.',
    [],
  );
  const broken = instruments.gauge(
    'sliproad_audit_broken',
    '1 while this process finds an altered or missing entry in the audit log.',
    [],
  );
  const everyMs = deps.verifyEveryMs ?? VERIFY_EVERY_MS;
  let verified = EMPTY_LOG_HEAD;
  let found = '';
  return startLoop({
    everyMs,
    guard: deps.guards.guard({ name: 'The verification of the audit log', everyMs, stops: 'all' }),
    turn: async () => {
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      const head = await audit.headOfDay(day);
      if (head !== undefined) onHead(head);
      const { head: last, finding } = await verifyEntriesSince(audit, verified, MOST_AT_ONCE);
      verified = last;
      entries([{ labels: {}, value: last.no }]);
      broken([{ labels: {}, value: finding === undefined ? 0 : 1 }]);
      // The service logs each finding once. The metric stays set as long as the finding exists.
      if (finding !== undefined && finding.text !== found)
        onTrouble('the audit log was altered', { ...finding });
      found = finding?.text ?? '';
    },
    onError,
  });
}
