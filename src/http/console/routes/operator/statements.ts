// Statement files of bank accounts: the upload, the imported files, and the days that need another file.
import { Type } from 'typebox';
import { listPayoutAccounts } from '../../../../app/settlement/payout-accounts.ts';
import { makeProfileConfirmation } from '../../../../app/statements/confirm-profile.ts';
import { isMode } from '../../../../domain/values/mode.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import { settingOutcomeAnswer } from '../../../../renderings/proposals.ts';
import {
  doubtShape,
  fileShape,
  problemShape,
  renderDoubt,
  renderFile,
  renderProblems,
  renderStatementDay,
  statementDayShape,
} from '../../../../renderings/statements.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import { answerSettingChange } from './settings.ts';
import { statementUploadRoutes } from './statement-uploads.ts';

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
  ...statementUploadRoutes,
  confirmRoute,
];
