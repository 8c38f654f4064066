// Records in the audit log the actions of people that change no record, and people's reads of data.
import type { AuditLog, AuditReads } from '../../ports/audit.ts';
import type { Clock } from '../../ports/clock.ts';

/**
 * Records an action on the command line that writes no row under the actor's name, such as a signature on a network. The audit
 * entry is written before the action runs, so the log also contains actions that stop half-way.
 */
export interface RecordActionDeps {
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly actor: string;
}

export function recordAction(
  { audit, clock, actor }: RecordActionDeps,
  action: string,
  subject: string | null,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  return audit.record({ actor, atMs: clock.now(), action, subject, businessId: null, detail });
}

/**
 * Records which operator read the data of which business. The audit entry is written before any data is shown. If it cannot be
 * written, no data is shown.
 */
export interface RecordReadDeps {
  readonly audit: AuditLog & Pick<AuditReads, 'businessOf'>;
  readonly clock: Clock;
}

/** `businessId` is null if the data of several businesses is shown. `what` is the command or the page. */
export async function recordRead(
  { audit, clock }: RecordReadDeps,
  actor: string,
  businessId: string | null,
  what: string,
  subject: string | null = null,
): Promise<void> {
  const detail = { what };
  await audit.record({ actor, atMs: clock.now(), action: 'data.read', subject, businessId, detail });
}

export async function recordReadOfRecord(
  deps: RecordReadDeps,
  actor: string,
  recordId: string,
  what: string,
): Promise<void> {
  const businessId = (await deps.audit.businessOf(recordId)) ?? null;
  await recordRead(deps, actor, businessId, what, recordId);
}
