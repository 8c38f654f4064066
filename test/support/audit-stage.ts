// An audit log on a real database for its tests: entries to append, and access as the owner of the table, which bypasses the
// service.
import pg from 'pg';
import { makeAuditLog } from '../../src/adapters/postgres/audit/audit-log.ts';
import type { Database } from '../../src/adapters/postgres/connection/database.ts';
import { type AuditVerdict, verifyAudit } from '../../src/app/audit/verify-audit.ts';
import type { AuditHead } from '../../src/domain/audit/audit-chain.ts';
import type { AuditEntry } from '../../src/ports/audit.ts';

export const AT = Date.parse('2026-11-14T09:30:00.123Z');

export function auditEntry(changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    ...{ actor: 'per_ada', atMs: AT, action: 'session.opened', subject: 'ses_1', businessId: null },
    detail: { surface: 'browser' },
    ...changes,
  };
}

export function verified(database: Database, held?: AuditHead): Promise<AuditVerdict> {
  return verifyAudit(makeAuditLog(database), { held, digests: true, onProgress: () => undefined });
}

/** Runs the statements as the owner of the table without triggers, verifies the result, and rolls everything back. */
export async function behindItsBack(
  url: string,
  statements: readonly string[],
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin');
    for (const table of ['audit_log', 'audit_head', 'timeline', 'transactions'])
      await client.query(`alter table ${table} disable trigger user`);
    for (const text of statements) await client.query(text);
    await work({
      query: (query) => client.query(query),
      transaction: (inner) => inner(client),
      close: async () => undefined,
    });
    await client.query('rollback');
  } finally {
    await client.end();
  }
}
