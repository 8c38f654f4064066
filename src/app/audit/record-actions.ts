// Records people's actions and reads that change no record in the audit log.
import type { AuditLog, AuditReads } from '../../ports/audit.ts';
import type { Clock } from '../../ports/clock.ts';

/**
 * An action on the command line that writes no row under the actor's name, such as a signature on a network. The action is
 * recorded before it runs, so an action that stops half-way is in the log, too.
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
 * Reads are recorded, too: which operator read the data of which business. The entry is written before anything is shown; when it
 * cannot be written, nothing is shown.
 */
export interface RecordReadDeps {
  readonly audit: AuditLog & Pick<AuditReads, 'businessOf'>;
  readonly clock: Clock;
}

/** `businessId`: null when the data of several businesses is shown. `what`: the command or the page. */
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

/** Records the read of one record; the business of the record is looked up. */
export async function recordReadOfRecord(
  deps: RecordReadDeps,
  actor: string,
  recordId: string,
  what: string,
): Promise<void> {
  const businessId = (await deps.audit.businessOf(recordId)) ?? null;
  await recordRead(deps, actor, businessId, what, recordId);
}
