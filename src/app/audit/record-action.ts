// An action on the command line that writes no row of its own under the actor's name, such as a signature on a network. It is recorded
// before it is done: an action that ends half-way is in the log, too.
import type { Clock } from '../../ports/clock.ts';
import type { AuditLog } from '../../ports/people/audit.ts';

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
