// Renders an entry of the audit log.
import { Type } from 'typebox';
import type { ChainedEntry } from '../domain/audit/audit-chain.ts';
import * as schemas from './parts/schemas.ts';

const text = Type.String();

export const auditEntry = schemas.nameSchema(
  'AuditEntry',
  Type.Object({
    ...{ no: Type.Integer(), at: schemas.time, actor: text, actor_name: schemas.nullable(text) },
    ...{ action: text, subject: schemas.nullable(text), business_id: schemas.nullable(text) },
    detail: Type.Unknown({ description: 'Its fields differ by action.' }),
    hash: text,
  }),
);

export function renderAuditEntry(
  given: ChainedEntry,
  names: ReadonlyMap<string, string>,
): schemas.JsonOf<typeof auditEntry> {
  const { no, at, actor, action, subject, businessId, detail, hash } = given;
  return {
    ...{ no, at, actor, actor_name: names.get(actor) ?? null, action, subject, business_id: businessId },
    ...{ detail: JSON.parse(detail), hash },
  };
}
