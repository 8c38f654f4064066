// Writes a change and its audit log entry in one transaction. If the work changes nothing, no entry is written. The entry is
// written last, because the head of the audit log stays locked from then on.
import type pg from 'pg';
import type { AuditStamp } from '../../../ports/back-office.ts';
import { appendEntryQuery } from '../audit/digests.ts';
import { type Database, sqlState } from '../connection/database.ts';

const UNIQUE_VIOLATION = '23505';

export type RunAudited = <T>(
  doing: AuditStamp,
  action: string,
  detail: object,
  work: (client: pg.ClientBase) => Promise<T>,
) => Promise<T>;

export function makeRunAudited(database: Database): RunAudited {
  return <T>(
    doing: AuditStamp,
    action: string,
    detail: object,
    work: (client: pg.ClientBase) => Promise<T>,
  ): Promise<T> =>
    database.transaction(async (client) => {
      // The triggers of migrations/0010_audit.sql read this setting. When it is on, they do not record the change a second time
      // as an action of settlement.
      await client.query(`select set_config('sliproad.logged', 'on', true)`);
      const result = await work(client);
      if (result === false || result === 'not_found') return result; // nothing was changed
      await client.query(
        appendEntryQuery({ ...doing, action, ...auditSubjectOf(detail), detail: { ...detail } }),
      );
      return result;
    });
}

function auditSubjectOf(detail: object): {
  readonly subject: string | null;
  readonly businessId: string | null;
} {
  const text = (name: string) => {
    const value = (detail as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' ? value : null;
  };
  const id = text('id');
  const businessId = text('businessId') ?? text('business') ?? (id?.startsWith('biz_') ? id : null);
  const subject = id ?? text('keyId') ?? text('subjectId') ?? text('person') ?? businessId;
  return { subject, businessId };
}

/**
 * Runs the work and returns `taken` after a unique violation, which is an expected outcome here. Every other error is thrown
 * again.
 */
export async function answerIfTaken<T, Taken extends string>(
  work: Promise<T>,
  taken: Taken,
): Promise<T | Taken> {
  try {
    return await work;
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) return taken;
    throw error;
  }
}
