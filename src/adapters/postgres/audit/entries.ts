// How an entry is written to the audit log, by itself or inside another transaction. The database sets its number and hashes.
import type { AuditEntry } from '../../../ports/people/audit.ts';

/** A time as the hash of an entry takes it. */
export const UTC_TEXT = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;

/** The business of the subject, when the entry names none. */
const APPEND = `insert into audit_log (at, actor, action, subject, business_id, detail)
  values (to_timestamp($1::float8 / 1000), $2, $3, $4, coalesce($5, business_of($4)), $6::jsonb)`;

/** From here to the commit the head of the log is locked: it must be the last statement of its transaction. */
export function appendEntry(entry: AuditEntry): { readonly text: string; readonly values: unknown[] } {
  const { atMs, actor, action, subject, businessId, detail } = entry;
  return { text: APPEND, values: [atMs, actor, action, subject, businessId, JSON.stringify(detail)] };
}
