// Our bank accounts in the ledger. For naira that people moved at a bank, this file shows a preview of the booking and proposes
// it.
import { type Static, Type } from 'typebox';
import { previewNairaBooking } from '../../../../app/operations/preview-review.ts';
import { readBankAccounts } from '../../../../app/operations/read-bank-accounts.ts';
import {
  type NairaBookingRequest,
  proposeNairaBooking,
} from '../../../../app/review/propose-naira-booking.ts';
import { isPayable } from '../../../../domain/catalogue/banks.ts';
import { CHARGE_KINDS, NAIRA_MOVE_KINDS } from '../../../../domain/records/naira-move.ts';
import { isMode } from '../../../../domain/values/mode.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import { accountsAnswer, renderAccounts } from '../../../../renderings/bank-accounts.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { proposal, renderProposal } from '../../../../renderings/proposals.ts';
import { preview, readSubjectContext, renderPreview } from '../../../../renderings/review.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import { nairaField, parseNaira, reviewFailure } from './decisions.ts';

const textField = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });

const NairaBody = Type.Object({
  mode: schemas.mode,
  kind: schemas.oneOfDescribed(NAIRA_MOVE_KINDS),
  charge: Type.Optional(schemas.oneOfDescribed(CHARGE_KINDS)),
  account: textField(
    60,
    'the account whose statement has this line, with its name from the list of accounts.',
  ),
  to: Type.Optional(textField(60, 'for kind moved: the account that received the naira.')),
  amount: nairaField,
  day: textField(10, 'the day on the bank statement, for example 2026-11-16.'),
  reference: textField(100, 'the reference on the bank statement.'),
});

function readGivenNaira(body: Static<typeof NairaBody>, actor: string): NairaBookingRequest {
  const { mode, kind, charge = null, account, to = null, day, reference } = body;
  return { mode, kind, charge, account, to, day, reference, nairaMinor: parseNaira(body.amount), actor };
}

const readRoutes = [
  operatorRoute(
    'operations.read',
    'nothing',
    {
      tag: 'Treasury',
      method: 'GET',
      path: '/bank-accounts/:mode',
      name: 'listBankAccounts',
      summary: 'List our bank accounts of one mode with their balances in the books',
      answer: accountsAnswer,
      refusals: ['not_found'],
    },
    async ({ params: { mode = '' } }, deps) => {
      if (!isMode(mode)) return fail(NO_SUCH_RECORD);
      return ok(renderAccounts(await readBankAccounts(deps, mode)));
    },
  ),
  operatorRoute(
    'operations.read',
    'nothing',
    {
      tag: 'Treasury',
      method: 'GET',
      path: '/banks',
      name: 'listPayableBanks',
      summary: 'List the banks that naira can be paid to',
      answer: { banks: Type.Array(schemas.bank) },
    },
    async (_call, { banks }) =>
      ok({ banks: banks.all.filter(isPayable).map(({ code, name }) => ({ code, name })) }),
  ),
];

const REFUSALS = ['not_found', 'invalid', 'not_possible', 'busy'] as const;

const bookingRoutes = [
  operatorRoute(
    'operations.read',
    'nothing',
    {
      tag: 'Treasury',
      method: 'POST',
      path: '/naira/preview',
      name: 'previewNaira',
      summary: 'Preview the postings for naira that were moved at a bank; nothing is written',
      body: NairaBody,
      answer: { preview },
      refusals: REFUSALS,
    },
    async ({ body, actor }, deps) => {
      const previewed = await previewNairaBooking(deps, readGivenNaira(body, actor));
      if (!previewed.ok) return reviewFailure(previewed.error);
      return ok({ preview: renderPreview(previewed.value, await readSubjectContext(deps, [])) });
    },
  ),
  operatorRoute(
    'money.propose',
    'nothing',
    {
      tag: 'Treasury',
      method: 'POST',
      path: '/proposals/naira',
      name: 'proposeNaira',
      summary:
        'Propose to book naira that were moved at a bank; nothing is booked before another person approves',
      body: NairaBody,
      answer: { proposal },
      refusals: REFUSALS,
    },
    async ({ body, actor }, deps) => {
      const proposed = await proposeNairaBooking(deps, readGivenNaira(body, actor));
      if (!proposed.ok) return reviewFailure(proposed.error);
      return ok({ proposal: renderProposal({ kind: 'review', proposal: proposed.value }) });
    },
  ),
];

export const bankAccountRoutes: readonly ConsoleRoute[] = [...readRoutes, ...bookingRoutes];
