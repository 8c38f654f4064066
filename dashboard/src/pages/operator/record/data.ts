// The data of an action: the fields of its form, and the content of its proposal.
import type { PossibleAction, PreviewReviewBody, RejectTransactionBody } from '../../../api/console-types.ts';

export interface ActionValues {
  readonly transactionId: string;
  readonly parts: readonly string[];
  readonly bank: string;
  readonly account: string;
  readonly name: string;
  /** The id of an account of the operator, from the list of accounts. */
  readonly ownAccount: string;
  readonly address: string;
  readonly publicReason: RejectTransactionBody['public_reason'] | '';
  readonly note: string;
}

export const EMPTY_VALUES: ActionValues = {
  ...{ transactionId: '', parts: ['', ''], bank: '', account: '', name: '', ownAccount: '' },
  ...{ address: '', publicReason: '', note: '' },
};

const AMOUNT = /^(0|[1-9]\d{0,12})(\.\d{1,2})?$/;

/** Null means that a required field is still empty. */
export function bodyOf(
  action: PossibleAction,
  subjectId: string,
  given: ActionValues,
): PreviewReviewBody | null {
  // A rejection takes effect without a proposal, so it has no body of a proposal.
  if (action.action === 'reject') return null;
  const about = { action: action.action, subject_id: subjectId };
  const { transactionId, parts, bank, account, name, ownAccount, address, publicReason } = given;
  const said = action.says_publicly && publicReason !== '' ? { public_reason: publicReason } : {};
  const target = { refund_to_bank: bank.trim(), refund_to_account: account, refund_to_name: name.trim() };
  const filled = Object.values(target).filter((each) => each !== '').length;
  switch (action.needs) {
    case 'transaction':
      return transactionId.trim() === '' ? null : { ...about, transaction_id: transactionId.trim() };
    case 'parts':
      return parts.every((part) => AMOUNT.test(part)) ? { ...about, parts } : null;
    case 'address':
      return address.trim() === '' ? null : { ...about, refund_to_address: address.trim() };
    case 'own_account':
      return ownAccount === '' ? null : { ...about, ...creditedAccountOf(ownAccount) };
    case 'account':
      return filled < 3 ? null : { ...about, ...target };
    case null:
      if (filled === 0) return { ...about, ...said };
      return filled < 3 ? null : { ...about, ...target, ...said };
  }
}

function creditedAccountOf(ownAccount: string): Partial<PreviewReviewBody> {
  const [bank = '', number] = ownAccount.split(':');
  return number === undefined ? {} : { refund_to_bank: bank, refund_to_account: number };
}

/**
 * The exact remainder of an amount after its parts. Null means that a part is not valid, or that the parts are larger than the
 * amount.
 */
export function remainderOf(amount: string, parts: readonly string[]): string | null {
  if (!parts.every((part) => part === '' || AMOUNT.test(part))) return null;
  const kobo = (text: string): bigint => {
    const [whole = '0', fraction = ''] = text.split('.');
    return BigInt(whole === '' ? '0' : whole) * 100n + BigInt(fraction.padEnd(2, '0'));
  };
  const rest = parts.reduce((left, part) => left - kobo(part), kobo(amount));
  if (rest < 0n) return null;
  return `${rest / 100n}.${(rest % 100n).toString().padStart(2, '0')}`;
}
