// The upload of statement files: for one account, or for every account that the file names.
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { findStatementAccount } from '../../../../app/statements/find-statement-account.ts';
import { importEveryAccount, parseWithoutSource } from '../../../../app/statements/import-every-account.ts';
import { importStatement } from '../../../../app/statements/import-statement.ts';
import { isMode, type Mode } from '../../../../domain/values/mode.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import { UnreadableStatement } from '../../../../ports/statements.ts';
import {
  everyAccountAnswer,
  importAnswer,
  renderEveryAccount,
  renderImportSummary,
} from '../../../../renderings/statements.ts';
import { bodyTooLargeRefusal } from '../../../errors.ts';
import { isBytesType } from '../../admission/route-guard.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { BYTES_ONLY, type ConsoleRefusal, NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute, type SignedInCall } from '../../route.ts';

const FILE_QUERY = {
  name: Type.Optional(Type.String({ description: 'The name of the file, shown to people.' })),
  profile: Type.Optional(
    Type.String({ description: 'The column profile (default: detected from the header of the file).' }),
  ),
  profile_change: Type.Optional(
    Type.String({ description: 'yes: the bank changed its format; use this profile.' }),
  ),
};

/** The most that is kept of an upload that is read several times. */
const MOST_KEPT_BYTES = 64 * 1024 * 1024;

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
      without_source: Type.Optional(
        Type.String({
          description:
            'For an account without a credit source: the number of incoming rows that a person confirmed.',
        }),
      ),
    }),
    answer: importAnswer,
    refusals: ['not_found', 'invalid', 'state_conflict', 'body_too_large', 'filter_invalid'],
  },
  async (call, deps) => {
    const { mode = '' } = call.params;
    const body = openUpload(call.request.raw, deps.statementMaxBytes);
    const result = isMode(mode) ? await importUpload(call, deps, mode, body.bytes) : fail(NO_SUCH_RECORD);
    // A browser reads the refusal only after it has sent the whole file, so the rest of the file is read and dropped.
    if (!result.ok) void body.dropRest();
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
    query: Type.Object({
      ...FILE_QUERY,
      without_source: Type.Optional(
        Type.String({
          description:
            'For accounts without a credit source: each account and the number of incoming rows that a person confirmed, for example 058:0123456789=120,044:0123456780=3.',
        }),
      ),
    }),
    answer: everyAccountAnswer,
    refusals: ['not_found', 'invalid', 'state_conflict', 'body_too_large', 'filter_invalid'],
  },
  async (call, deps) => {
    const { mode = '' } = call.params;
    const body = openUpload(call.request.raw, Math.min(deps.statementMaxBytes, MOST_KEPT_BYTES));
    const result = isMode(mode)
      ? await importUploadOfAll(call, deps, mode, body.bytes)
      : fail(NO_SUCH_RECORD);
    if (!result.ok) void body.dropRest();
    return result;
  },
);

export const statementUploadRoutes: readonly ConsoleRoute[] = [uploadRoute, uploadAllRoute];

const textOrUndefined = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

async function importUpload(
  { request, reply, query, actor }: SignedInCall<unknown>,
  deps: ConsoleDeps,
  mode: Mode,
  bytes: AsyncIterable<Uint8Array>,
) {
  const [vendorId, account] = [textOrUndefined(query.vendor_id), textOrUndefined(query.account)];
  if ((vendorId === undefined) === (account === undefined))
    return failWith('filter_invalid', 'Give vendor_id, or account.');
  if (!isBytesType(request.headers['content-type'])) return fail(BYTES_ONLY);
  const confirmed = textOrUndefined(query.without_source);
  if (confirmed !== undefined && !/^[0-9]{1,9}$/.test(confirmed))
    return failWith('filter_invalid', 'without_source must be a number of rows.');
  const most = deps.statementMaxBytes;
  const length = request.headers['content-length'];
  const statedSize = length === undefined ? null : Number(length);
  if (statedSize !== null && statedSize > most) return fail(bodyTooLargeRefusal(most));
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
    ...{ withoutSource: confirmed === undefined ? null : Number(confirmed), size: statedSize },
    bytes,
  });
  if (!result.ok) return fail(result.error);
  deps.activity.wakeFeeds('banks');
  return ok(renderImportSummary(result.value));
}

/** The file is read once for each account, so it is kept in memory. */
async function importUploadOfAll(
  { request, reply, query, actor }: SignedInCall<unknown>,
  deps: ConsoleDeps,
  mode: Mode,
  bytes: AsyncIterable<Uint8Array>,
) {
  if (!isBytesType(request.headers['content-type'])) return fail(BYTES_ONLY);
  const confirmed = textOrUndefined(query.without_source);
  const withoutSource = confirmed === undefined ? new Map<string, number>() : parseWithoutSource(confirmed);
  if (withoutSource === undefined)
    return failWith(
      'filter_invalid',
      'without_source must name each account and its number of rows, for example 058:0123456789=120,044:0123456780=3.',
    );
  const most = Math.min(deps.statementMaxBytes, MOST_KEPT_BYTES);
  if (Number(request.headers['content-length'] ?? 0) > most) return fail(bodyTooLargeRefusal(most));
  reply.server.takeUpload(reply.raw);
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of bytes) chunks.push(chunk);
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
    ...{ withoutSource, size: chunks.reduce((sum, { length }) => sum + length, 0) },
    open: () => Readable.from(chunks),
  });
  if (!result.ok) return fail(result.error);
  deps.activity.wakeFeeds('banks');
  return ok(renderEveryAccount(result.value));
}

function failWith(code: ConsoleRefusal['code'], message: string) {
  return fail({ code, message } as ConsoleRefusal);
}

/**
 * The Content-Length header may be missing, so the received bytes are counted. The stream has one iterator from its beginning to its
 * end: a loop that ends early would close the connection, and a paused iterator keeps the stream from being dropped by `resume`.
 */
function openUpload(stream: AsyncIterable<Uint8Array>, most: number) {
  const pieces = stream[Symbol.asyncIterator]();
  async function* limited(): AsyncGenerator<Uint8Array> {
    let count = 0;
    for (;;) {
      const { value, done } = await pieces.next();
      if (done === true) return;
      count += value.length;
      if (count > most)
        throw new UnreadableStatement(
          `The file is larger than ${most} bytes (STATEMENT_MAX_BYTES). Import it on the command line: bin/sliproad statements import`,
        );
      yield value;
    }
  }
  return { bytes: limited(), dropRest: () => dropRest(pieces) };
}

async function dropRest(pieces: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    while ((await pieces.next()).done !== true);
  } catch {
    // The connection was closed.
  }
}
