// The audit log as the operator reads it: a page of entries, and whether the newest ones are as they were written.
import { type Static, Type } from 'typebox';
import { verifySince } from '../../../app/audit/verify-audit.ts';
import { type ChainedEntry, NO_ENTRY } from '../../../domain/people/audit-chain.ts';
import { fail, ok } from '../../../domain/values/result.ts';
import { isStorable } from '../body-check.ts';
import { type ConsoleRoute, operatorRoute } from '../route.ts';
import * as schemas from '../schemas.ts';

const TAG = { tag: 'Audit' } as const;
const PAGE = { default: 50, max: 200 } as const;
/** The whole log is verified by the service little by little, and on the command line; here the newest entries are. */
const VERIFIED = 2_000;

const filterText = Type.Optional(Type.String({ maxLength: 200 }));
const AuditQuery = Type.Object({
  business_id: filterText,
  actor: filterText,
  subject: filterText,
  action: filterText,
  before: Type.Optional(Type.String({ description: 'Only entries before this number.' })),
  limit: Type.Optional(Type.String({ description: `1 to ${PAGE.max}.` })),
});
const head = Type.Object({ no: Type.Integer(), hash: Type.String() });

export const auditRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'audit.read',
    'several',
    {
      ...TAG,
      method: 'GET',
      path: '/audit',
      name: 'listAudit',
      summary: 'List entries of the audit log, the newest first',
      query: AuditQuery,
      answer: { entries: Type.Array(schemas.record) },
      refusals: ['filter_invalid'],
    },
    async ({ query }, { audit }) => {
      if (Object.values(query).some((value) => typeof value !== 'string'))
        return fail({ code: 'filter_invalid', message: 'Give each filter once.' });
      if (!isStorable(query))
        return fail({ code: 'filter_invalid', message: 'A filter must not have a null character.' });
      const given = query as Static<typeof AuditQuery>;
      const limit = wholeNumber(given.limit ?? String(PAGE.default));
      const beforeNo = given.before === undefined ? undefined : wholeNumber(given.before);
      if (limit === undefined || limit > PAGE.max || (given.before !== undefined && beforeNo === undefined)) {
        const message = `limit must be 1 to ${PAGE.max}, and before the number of an entry.`;
        return fail({ code: 'filter_invalid', message });
      }
      const { business_id: businessId, actor, subject, action } = given;
      const entries = await audit.list({ businessId, actor, subject, action, beforeNo, limit });
      return ok({ entries: entries.map(renderEntry) });
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
        verified_from: Type.Integer({ description: 'The first entry that was verified just now.' }),
        problem: schemas.nullable(Type.String({ description: 'Null: every entry is as it was written.' })),
      },
    },
    async (_call, { audit }) => {
      const { no, hash } = await audit.head();
      const [before] = no > VERIFIED ? await audit.entriesFrom(no - VERIFIED, 1) : [];
      const from = before === undefined ? NO_ENTRY : { no: before.no, hash: before.hash };
      const { finding } = await verifySince(audit, from, 2 * VERIFIED);
      return ok({ head: { no, hash }, verified_from: from.no + 1, problem: finding?.text ?? null });
    },
  ),
];

function renderEntry({ no, at, actor, action, subject, businessId, detail, hash }: ChainedEntry) {
  return { no, at, actor, action, subject, business_id: businessId, detail: JSON.parse(detail), hash };
}

function wholeNumber(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
