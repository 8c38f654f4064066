// The audit log on PostgreSQL: entries that change nothing else.
import type { AuditLog } from '../../../ports/people/audit.ts';
import { makeLogged } from '../back-office/logged.ts';
import type { Database } from '../connection/database.ts';

export function makeAuditLog(database: Database): AuditLog {
  const logged = makeLogged(database);
  return {
    record: ({ actor, atMs, action, subject, businessId, detail }) =>
      logged({ actor: actor.id, atMs }, action, { ...detail, subject, businessId }, async () => undefined),
  };
}
