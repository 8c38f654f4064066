// The body of a proposed review: the action, its subject, and the other values that the action needs.
import { type Static, Type } from 'typebox';
import type { RefundTarget, ReviewRequest } from '../../../../domain/review/proposal.ts';
import { fail, ok, type Result } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import { publicReason } from '../../../../renderings/review-of-record.ts';
import type { ConsoleRefusal } from '../../refusals.ts';
import { nairaField, parseNaira } from './decisions.ts';

const ACTIONS = [
  'match',
  'split',
  'refund',
  'write_off',
  'own_funds',
  'release',
  'loss',
  'dismiss',
  'pay_again',
  'paid',
  'unpaid',
  'recovered',
  'accepted',
  'counted',
  'explained',
  'explained_all',
  'resume',
] as const;

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });

export const ReviewBody = Type.Object({
  action: schemas.oneOfDescribed(ACTIONS),
  subject_id: Type.Optional(text(200, 'the record that the action is about; left out for resume.')),
  transaction_id: Type.Optional(text(60, 'match: the buy that the credit pays.')),
  parts: Type.Optional(
    Type.Array(nairaField, { minItems: 2, maxItems: 50, description: 'split: the amounts of the parts.' }),
  ),
  refund_to_bank: Type.Optional(
    text(60, 'refund, pay_again: the code of the bank; recovered: the bank code of your own account.'),
  ),
  refund_to_account: Type.Optional(
    text(10, 'refund, pay_again: the account number; recovered: the number of your own account.'),
  ),
  refund_to_name: Type.Optional(text(140, 'refund, pay_again: the name on the account.')),
  refund_to_address: Type.Optional(text(200, 'refund: the address that gets the tokens.')),
  public_reason: Type.Optional(publicReason),
  cases: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'explained_all: the number of cases; subject_id is the statement file.',
    }),
  ),
  digest: Type.Optional(text(64, 'explained_all: the digest of the cases.')),
  mode: Type.Optional(schemas.mode),
  asset: Type.Optional(text(60, 'resume: the halted asset.')),
});

type GivenReview = Static<typeof ReviewBody>;

export function reviewRequestOf(given: GivenReview): Result<ReviewRequest, ConsoleRefusal> {
  const { action, subject_id: subjectId } = given;
  if (action === 'resume') return resumeRequestOf(given);
  if (subjectId === undefined) return missingFieldFailure('subject_id', action);
  switch (action) {
    case 'match': {
      const { transaction_id: transactionId } = given;
      if (transactionId === undefined) return missingFieldFailure('transaction_id', action);
      return ok({ action, subjectId, detail: { transactionId } });
    }
    case 'split':
      if (given.parts === undefined) return missingFieldFailure('parts', action);
      return ok({ action, subjectId, detail: { partsMinor: given.parts.map(parseNaira) } });
    case 'refund': {
      const target = refundTargetOf(given);
      if (!target.ok) return target;
      const { public_reason: reason } = given;
      const detail = { target: target.value, ...(reason !== undefined && { publicReason: reason }) };
      return ok({ action, subjectId, detail });
    }
    case 'pay_again': {
      const {
        refund_to_bank: bankCode,
        refund_to_account: accountNumber,
        refund_to_name: accountName,
      } = given;
      if (bankCode === undefined) return missingFieldFailure('refund_to_bank', action);
      if (accountNumber === undefined) return missingFieldFailure('refund_to_account', action);
      if (accountName === undefined) return missingFieldFailure('refund_to_name', action);
      return ok({ action, subjectId, detail: { account: { bankCode, accountNumber, accountName } } });
    }
    case 'recovered':
      return recoveredRequestOf(subjectId, given);
    case 'explained_all': {
      const { cases, digest } = given;
      if (cases === undefined) return missingFieldFailure('cases', action);
      if (digest === undefined) return missingFieldFailure('digest', action);
      return ok({ action, subjectId, detail: { cases, digest } });
    }
    default:
      return ok({ action, subjectId, detail: {} });
  }
}

function resumeRequestOf({ mode, asset }: GivenReview): Result<ReviewRequest, ConsoleRefusal> {
  if (mode === undefined) return missingFieldFailure('mode', 'resume');
  if (asset === undefined) return missingFieldFailure('asset', 'resume');
  return ok({ action: 'resume', subjectId: `halt ${mode} ${asset}`, detail: { mode, asset } });
}

/**
 * If the request names no bank account, the recovered money is on the account of the simulated bank. This default is only for
 * test mode.
 */
function recoveredRequestOf(subjectId: string, given: GivenReview): Result<ReviewRequest, ConsoleRefusal> {
  const { refund_to_bank: bankCode, refund_to_account: accountNumber } = given;
  if (bankCode === undefined && accountNumber === undefined)
    return ok({ action: 'recovered', subjectId, detail: { into: null } });
  if (bankCode === undefined) return missingFieldFailure('refund_to_bank', 'recovered');
  if (accountNumber === undefined) return missingFieldFailure('refund_to_account', 'recovered');
  return ok({ action: 'recovered', subjectId, detail: { into: { bankCode, accountNumber } } });
}

/** Null means that the refund goes to the payer that the bank reported, or to the wallet that the business set. */
function refundTargetOf(given: GivenReview): Result<RefundTarget | null, ConsoleRefusal> {
  const { refund_to_bank: bank, refund_to_account: account, refund_to_name: name } = given;
  const { refund_to_address: address } = given;
  const byBank = [bank, account, name].filter((each) => each !== undefined).length;
  if (byBank === 0) return ok(address === undefined ? null : { address });
  if (address !== undefined || byBank < 3) {
    const message =
      'Send refund_to_bank, refund_to_account and refund_to_name together, and without refund_to_address.';
    return fail({ code: 'invalid', message });
  }
  return ok({ bankCode: bank!, accountNumber: account!, accountName: name! });
}

function missingFieldFailure(
  field: string,
  action: string,
): { readonly ok: false; readonly error: ConsoleRefusal } {
  const message = `${field} is required for ${action}. Add it to the body.`;
  return fail({ code: 'required', message, errors: [{ field, code: 'required', message }] });
}
