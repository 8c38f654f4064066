// The erasure of one customer as operators see it: what is erased now, what is kept until which day and why, and what stays.
import { Type } from 'typebox';
import type { ErasurePlan } from '../app/privacy/erase-person.ts';
import type { exportPerson } from '../app/privacy/export-person.ts';
import type { ErasureRequest } from '../ports/privacy.ts';
import { renderRecord } from './parts/record.ts';
import * as schemas from './parts/schemas.ts';
import { isoOrNull, isoTime } from './parts/values.ts';

const rows = Type.Integer();
const place = Type.String({ description: 'The name of the table.' });

export const erasurePlan = schemas.nameSchema(
  'ErasurePlan',
  Type.Object({
    person: Type.String({ description: 'A pseudonym: the same for each request about the account.' }),
    mode: schemas.mode,
    erasable: Type.Array(Type.Object({ place, rows }), { description: 'Erased at once.' }),
    kept: Type.Array(Type.Object({ place, rows, until: schemas.time }), {
      description: 'The law requires these rows: they are erased by themselves when the time is over.',
    }),
    kept_until: schemas.nullable({
      ...schemas.time,
      description: 'When the last of the kept rows is erased.',
    }),
    open: Type.Array(Type.String(), {
      description: 'Records that are open, or ended within the last hour: they are erased later.',
    }),
    erased_before: Type.Integer(),
    stays: Type.Array(Type.Object({ place, rows, why: Type.String() }), { description: 'Never erased.' }),
    records: Type.Integer({
      description: 'How many records the request names; 0: there is nothing to erase.',
    }),
  }),
);

/** Why rows with the account number are never erased. */
const WHY_IT_STAYS: Readonly<Record<string, string>> = {
  travel_rule_records: 'the law requires the record of each large transfer; it is sealed',
  audit_log: 'it proves who did what, and its hashes cover every entry',
  proposals: 'they record what two people decided about money',
  proposal_decisions: 'they record why two people decided',
};

export function renderErasurePlan(plan: ErasurePlan): schemas.JsonOf<typeof erasurePlan> {
  const { person, mode, erasable, kept, keptUntilMs, open, erasedBefore, stays, subjects } = plan;
  return {
    ...{ person, mode },
    erasable: Object.entries(erasable).map(([name, count]) => ({ place: name, rows: count })),
    kept: kept.map(({ untilMs, ...each }) => ({ ...each, until: isoTime(untilMs) })),
    kept_until: isoOrNull(keptUntilMs),
    ...{ open, erased_before: erasedBefore, records: subjects.length },
    stays: Object.entries(stays).map(([name, count]) => ({
      ...{ place: name, rows: count },
      why: WHY_IT_STAYS[name] ?? 'it is kept',
    })),
  };
}

export const erasureRequest = schemas.nameSchema(
  'ErasureRequest',
  Type.Object({
    person: schemas.nullable(Type.String({ description: 'The pseudonym of the plan.' })),
    mode: schemas.mode,
    ...{ requested_by: Type.String(), at: schemas.time },
    waiting: Type.Integer({ description: 'How many records are not erased yet.' }),
    kept_until: schemas.nullable({
      ...schemas.time,
      description: 'When the last record that the law requires is erased; null: none is kept by law.',
    }),
  }),
);

export function renderErasureRequest(request: ErasureRequest): schemas.JsonOf<typeof erasureRequest> {
  const { person, mode, requestedBy, atMs, waiting, keptUntilMs } = request;
  return {
    ...{ person, mode, requested_by: requestedBy, at: isoTime(atMs), waiting },
    kept_until: isoOrNull(keptUntilMs),
  };
}

type PersonExport = Awaited<ReturnType<typeof exportPerson>>;

/** Stored values are shown as they are. */
export function renderPersonExport(found: PersonExport): Readonly<Record<string, unknown>> {
  return {
    ...{ exported_at: isoTime(found.exportedAtMs), mode: found.mode },
    person: { account: found.person.account, bank_code: found.person.bankCode, name: found.person.name },
    rows: found.rows.map(({ place: table, key, mode, transactionId, creditId, values, ...rest }) => ({
      ...{ place: table, key, mode, transaction_id: transactionId, credit_id: creditId, values },
      ...{ erased: rest.erased, required_by_law: rest.isByLaw, required_until: isoOrNull(rest.byLawUntilMs) },
      kept: rest.kept.kind === 'until' ? { kind: 'until', at: isoTime(rest.kept.atMs) } : rest.kept,
    })),
    travel_rule: found.travelRule.map(renderRecord),
    kept_records: found.keptRecords,
  };
}
