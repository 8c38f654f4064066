// The audit log for the operator: a page of entries, and a check that no entry was altered.
import { type Static, Type } from 'typebox';
import { verifyEntriesSince, verifySlice } from '../../../../app/audit/verify-audit.ts';
import { EMPTY_LOG_HEAD } from '../../../../domain/audit/audit-chain.ts';
import { parseInstant } from '../../../../domain/values/calendar.ts';
import { fail, ok, type Result } from '../../../../domain/values/result.ts';
import type { AuditFilter } from '../../../../ports/audit.ts';
import { auditEntry, renderAuditEntry } from '../../../../renderings/audit.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { isStorable } from '../../body-check.ts';
import type { ConsoleRefusal } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute, type SignedInCall } from '../../route.ts';
import { pageFields, readPageQuery } from './page-query.ts';

const TAG = { tag: 'Audit' } as const;
/**
 * This route verifies only this number of the newest audit entries. The route for slices, the service and the command line
 * verify the whole log.
 */
const VERIFIED = 2_000;

const filterText = Type.Optional(Type.String({ maxLength: 200 }));
const time = (description: string) => Type.Optional(Type.String({ description }));
const AuditQuery = Type.Object({
  business_id: filterText,
  actor: filterText,
  subject: filterText,
  action: filterText,
  since: time('Only entries at or after this time, for example 2026-11-14T09:30:00Z.'),
  until: time('Only entries before this time.'),
  before: Type.Optional(
    Type.String({ description: 'Only entries with a number lower than this; works like cursor.' }),
  ),
  ...pageFields,
});
const head = schemas.nameSchema('AuditHead', Type.Object({ no: Type.Integer(), hash: Type.String() }));
const VerifyBody = Type.Object({
  after: Type.Optional(
    Type.Object(
      {
        no: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
        hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      },
      {
        description: 'verified_to of the previous slice. If omitted, verification starts at the first entry.',
      },
    ),
  ),
});

export const auditRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'audit.read',
    'several',
    {
      ...TAG,
      method: 'GET',
      path: '/audit',
      name: 'listAudit',
      summary: 'List entries of the audit log, newest first',
      query: AuditQuery,
      answer: {
        entries: Type.Array(auditEntry),
        next_cursor: schemas.nullable(Type.String()),
      },
      refusals: ['filter_invalid', 'cursor_invalid'],
    },
    async ({ query }, { audit, proposalDesk }) => {
      const filter = filterOf(query);
      if (!filter.ok) return filter;
      const { limit } = filter.value;
      // The query reads one more entry than requested, which shows whether there is a next page.
      const found = await audit.list({ ...filter.value, limit: limit + 1 });
      const entries = found.slice(0, limit);
      const names = await proposalDesk.namesOf([...new Set(entries.map(({ actor }) => actor))]);
      return ok({
        entries: entries.map((each) => renderAuditEntry(each, names)),
        next_cursor: found.length > limit ? String(entries.at(-1)!.no) : null,
      });
    },
  ),
  operatorRoute(
    'audit.read',
    'nothing',
    {
      ...TAG,
      method: 'GET',
      path: '/audit/state',
      name: 'getAuditState',
      summary: `Read the head of the audit log, and verify its newest ${VERIFIED} entries`,
      answer: {
        head,
        verified_from: Type.Integer({ description: 'The first entry that this request verified.' }),
        problem: schemas.nullable(Type.String({ description: 'Null: every entry is as it was written.' })),
      },
    },
    async (_call, { audit }) => {
      const { no, hash } = await audit.head();
      const [before] = no > VERIFIED ? await audit.entriesFrom(no - VERIFIED, 1) : [];
      const from = before === undefined ? EMPTY_LOG_HEAD : { no: before.no, hash: before.hash };
      const { finding } = await verifyEntriesSince(audit, from, 2 * VERIFIED);
      return ok({ head: { no, hash }, verified_from: from.no + 1, problem: finding?.text ?? null });
    },
  ),
  operatorRoute(
    'audit.read',
    'nothing',
    {
      ...TAG,
      method: 'POST',
      path: '/audit/verify',
      name: 'verifyAudit',
      summary: 'Verify the next slice of the audit log; repeat the request with after until done is true',
      body: VerifyBody,
      answer: {
        verified_from: Type.Integer(),
        verified_to: head,
        head,
        done: Type.Boolean(),
        problem: schemas.nullable(Type.String({ description: 'Null: every entry is as it was written.' })),
      },
    },
    async ({ body: { after } }: SignedInCall<Static<typeof VerifyBody>>, { audit }) => {
      const slice = await verifySlice(audit, after ?? null);
      const { fromNo, to, head: last, isDone, problem } = slice;
      return ok({ verified_from: fromNo, verified_to: to, head: last, done: isDone, problem });
    },
  ),
];

function filterOf(query: Readonly<Record<string, unknown>>): Result<AuditFilter, ConsoleRefusal> {
  if (Object.values(query).some((value) => typeof value !== 'string'))
    return fail({ code: 'filter_invalid', message: 'Send each filter once.' });
  if (!isStorable(query))
    return fail({ code: 'filter_invalid', message: 'A filter must not contain a null character.' });
  const given = query as Static<typeof AuditQuery>;
  const { business_id: businessId, actor, subject, action, before, cursor = before, limit } = given;
  const page = readPageQuery({
    ...(cursor !== undefined && { cursor }),
    ...(limit !== undefined && { limit }),
  });
  if (!page.ok) return page;
  const times = { sinceMs: timeOf(given.since), untilMs: timeOf(given.until) };
  if (Object.values(times).some(Number.isNaN)) {
    const message = 'since and until must be times such as 2026-11-14T09:30:00Z.';
    return fail({ code: 'filter_invalid', message });
  }
  const beforeNo = page.value.before === null ? undefined : Number(page.value.before);
  return ok({ businessId, actor, subject, action, ...times, beforeNo, limit: page.value.limit });
}

/** NaN if the text is not a time. */
function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : (parseInstant(text) ?? Number.NaN);
}
