// Statement files of bank accounts: upload, imported files, and the days that need another file.
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { listPayoutAccounts } from '../../../../app/settlement/payout-accounts.ts';
import { makeProfileConfirmation } from '../../../../app/statements/confirm-profile.ts';
import { findStatementAccount } from '../../../../app/statements/find-statement-account.ts';
import { importEveryAccount } from '../../../../app/statements/import-every-account.ts';
import { importStatement } from '../../../../app/statements/import-statement.ts';
import { isMode, type Mode } from '../../../../domain/values/mode.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import { UnreadableStatement } from '../../../../ports/statements.ts';
import { settingOutcomeAnswer } from '../../../../renderings/proposals.ts';
import {
  doubtShape,
  everyAccountAnswer,
  fileShape,
  importAnswer,
  problemShape,
  renderDoubt,
  renderEveryAccount,
  renderFile,
  renderImportSummary,
  renderProblems,
  renderStatementDay,
  statementDayShape,
} from '../../../../renderings/statements.ts';
import { bodyTooLargeRefusal } from '../../../errors.ts';
import { isBytesType } from '../../admission/route-guard.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { BYTES_ONLY, type ConsoleRefusal, NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute, type SignedInCall } from '../../route.ts';
import { answerSettingChange } from './settings.ts';

const text = Type.String();
const GET = { method: 'GET', tag: 'Statements' } as const;

const FILES_SHOWN = 50;
const DAYS_SHOWN = 100;

const listRoute = operatorRoute(
  'operations.read',
  'nothing',
  {
    ...{ ...GET, path: '/statements/:mode', name: 'listStatements' },
    summary:
      'List the newest statement files of one mode, the days that need another file, and uncertain reversals',
    answer: {
      files: Type.Array(fileShape),
      open_days: Type.Array(statementDayShape),
      doubts: Type.Array(doubtShape),
      profiles: Type.Array(Type.Object({ name: text, title: text })),
      payout_accounts: Type.Array(Type.String({ description: 'A payout account.' })),
    },
    refusals: ['not_found'],
  },
  async ({ params: { mode = '' } }, { statements, statementReaders, bankRails }) => {
    if (!isMode(mode)) return fail(NO_SUCH_RECORD);
    const doubts = await statements.listDoubts(mode, DAYS_SHOWN);
    return ok({
      files: (await statements.listFiles({ mode, limit: FILES_SHOWN })).map(renderFile),
      open_days: (await statements.listDays({ mode, onlyOpen: true, limit: DAYS_SHOWN })).map(
        renderStatementDay,
      ),
      doubts: doubts.map(renderDoubt),
      profiles: statementReaders.profiles().map(({ name, title }) => ({ name, title })),
      payout_accounts: listPayoutAccounts(bankRails, mode),
    });
  },
);

const showRoute = operatorRoute(
  'operations.read',
  'nothing',
  {
    ...{ ...GET, path: '/statements/:mode/:file_id', name: 'showStatement' },
    summary: 'Read one statement file: its unreadable rows, and the days it covers',
    answer: { file: fileShape, problems: Type.Array(problemShape), days: Type.Array(statementDayShape) },
    refusals: ['not_found'],
  },
  async ({ params: { mode = '', file_id: fileId = '' } }, { statements }) => {
    const found = await statements.findFile(fileId);
    if (found === null || found.mode !== mode) return fail(NO_SUCH_RECORD);
    const { account, fromDay, toDay } = found;
    const range = fromDay === null || toDay === null ? null : { fromDay, toDay };
    const days =
      range === null ? [] : await statements.listDays({ mode: found.mode, account, ...range, limit: 400 });
    return ok({
      file: renderFile(found),
      problems: renderProblems(found),
      days: days.map(renderStatementDay),
    });
  },
);

const FILE_QUERY = {
  name: Type.Optional(Type.String({ description: 'The name of the file, shown to people.' })),
  profile: Type.Optional(
    Type.String({ description: 'The column profile (default: detected from the header of the file).' }),
  ),
  profile_change: Type.Optional(
    Type.String({ description: 'yes: the bank changed its format; use this profile.' }),
  ),
};

const uploadRoute = operatorRoute(
  'money.propose',
  'nothing',
  {
    ...{
      method: 'POST',
      tag: 'Statements',
      path: '/statements/:mode',
      name: 'importStatement',
      takes: 'file',
    },
    summary: 'Import a statement file of a bank account; the body is the file',
    query: Type.Object({
      vendor_id: Type.Optional(Type.String({ description: 'The vendor that owns the account.' })),
      account: Type.Optional(Type.String({ description: 'A payout account, instead of vendor_id.' })),
      ...FILE_QUERY,
    }),
    answer: importAnswer,
    refusals: ['not_found', 'invalid', 'state_conflict', 'body_too_large', 'filter_invalid'],
  },
  async (call, deps) => {
    const { mode = '' } = call.params;
    const result = isMode(mode) ? await importUpload(call, deps, mode) : fail(NO_SUCH_RECORD);
    // A browser reads the refusal only after it has sent the whole file, so the rest of the file is read and dropped.
    if (!result.ok) call.request.raw.resume();
    return result;
  },
);

const uploadAllRoute = operatorRoute(
  'money.propose',
  'nothing',
  {
    ...{
      method: 'POST',
      tag: 'Statements',
      path: '/statements/:mode/every-account',
      name: 'importStatementOfEveryAccount',
      takes: 'file',
    },
    summary: 'Import a statement file that names several accounts, each into its own; the body is the file',
    query: Type.Object(FILE_QUERY),
    answer: everyAccountAnswer,
    refusals: ['not_found', 'invalid', 'state_conflict', 'body_too_large', 'filter_invalid'],
  },
  async (call, deps) => {
    const { mode = '' } = call.params;
    const result = isMode(mode) ? await importUploadOfAll(call, deps, mode) : fail(NO_SUCH_RECORD);
    if (!result.ok) call.request.raw.resume();
    return result;
  },
);

const confirmRoute = operatorRoute(
  'settings.propose',
  'nothing',
  {
    ...{
      method: 'POST',
      tag: 'Statements',
      path: '/statements/:mode/:file_id/confirm',
      name: 'confirmStatementProfile',
    },
    summary:
      'Confirm the totals of the first file that an unverified profile read for an account; in live mode another person must approve',
    answer: settingOutcomeAnswer,
    refusals: ['not_found', 'invalid', 'not_possible', 'busy'],
  },
  async ({ params: { mode = '', file_id: fileId = '' }, actor }, deps) => {
    const request = await makeProfileConfirmation(deps, fileId);
    if (!request.ok) return fail(request.error);
    return request.value.mode === mode
      ? answerSettingChange(deps, request.value, actor)
      : fail(NO_SUCH_RECORD);
  },
);

export const statementRoutes: readonly ConsoleRoute[] = [
  listRoute,
  showRoute,
  uploadRoute,
  uploadAllRoute,
  confirmRoute,
];

const textOrUndefined = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

async function importUpload(
  { request, reply, query, actor }: SignedInCall<unknown>,
  deps: ConsoleDeps,
  mode: Mode,
) {
  const [vendorId, account] = [textOrUndefined(query.vendor_id), textOrUndefined(query.account)];
  if ((vendorId === undefined) === (account === undefined))
    return failWith('filter_invalid', 'Give vendor_id, or account.');
  if (!isBytesType(request.headers['content-type'])) return fail(BYTES_ONLY);
  const most = deps.statementMaxBytes;
  if (Number(request.headers['content-length'] ?? 0) > most) return fail(bodyTooLargeRefusal(most));
  const wanted = vendorId === undefined ? { account: account! } : { vendorId };
  const found = await findStatementAccount(deps, mode, wanted);
  if (!found.ok) return fail(found.error);
  reply.server.takeUpload(reply.raw);
  const result = await importStatement(deps, {
    ...{
      account: found.value,
      name: textOrUndefined(query.name) ?? 'upload',
      profile: textOrUndefined(query.profile) ?? null,
    },
    ...{ profileChange: textOrUndefined(query.profile_change) === 'yes', dryRun: false, actor },
    bytes: limitBytes(request.raw, most),
  });
  if (!result.ok) return fail(result.error);
  deps.activity.wakeFeeds('banks');
  return ok(renderImportSummary(result.value));
}

/** The most that is kept of an upload that is read several times. */
const MOST_KEPT_BYTES = 64 * 1024 * 1024;

/** The file is read once for each account, so it is kept in memory. */
async function importUploadOfAll(
  { request, reply, query, actor }: SignedInCall<unknown>,
  deps: ConsoleDeps,
  mode: Mode,
) {
  if (!isBytesType(request.headers['content-type'])) return fail(BYTES_ONLY);
  const most = Math.min(deps.statementMaxBytes, MOST_KEPT_BYTES);
  if (Number(request.headers['content-length'] ?? 0) > most) return fail(bodyTooLargeRefusal(most));
  reply.server.takeUpload(reply.raw);
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of limitBytes(request.raw, most)) chunks.push(chunk);
  } catch (error) {
    if (error instanceof UnreadableStatement) return failWith('invalid', error.message);
    throw error;
  }
  const result = await importEveryAccount(deps, {
    ...{
      mode,
      name: textOrUndefined(query.name) ?? 'upload',
      profile: textOrUndefined(query.profile) ?? null,
    },
    ...{ profileChange: textOrUndefined(query.profile_change) === 'yes', dryRun: false, actor },
    open: () => Readable.from(chunks),
  });
  if (!result.ok) return fail(result.error);
  deps.activity.wakeFeeds('banks');
  return ok(renderEveryAccount(result.value));
}

function failWith(code: ConsoleRefusal['code'], message: string) {
  return fail({ code, message } as ConsoleRefusal);
}

/** The Content-Length header may be missing, so the received bytes are counted. */
async function* limitBytes(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const chunk of bytes) {
    count += chunk.length;
    if (count > most)
      throw new UnreadableStatement(
        `The file is larger than ${most} bytes (STATEMENT_MAX_BYTES). Import it on the command line: bin/sliproad statements import`,
      );
    yield chunk;
  }
}
