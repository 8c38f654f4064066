// The button texts for each combination of record and action. Each text is a verb with its object.
import type {
  DepositSubject,
  GetReviewAnswer,
  MovementSubject,
  OpenProposal,
  PossibleAction,
  ShownProposal,
  Subject,
} from '../../../api/console-types.ts';
import { digits, naira, shortened } from '../../../components/format.ts';

export function withShortIds(sentence: string): string {
  return sentence.replaceAll(/\b[a-z]{3}_[0-9a-z]{20,}\b/g, (id) => shortened(id, 4));
}

const NOUNS: Readonly<Record<Exclude<Subject['kind'], 'movement' | 'transaction'>, string>> = {
  credit: 'bank credit',
  deposit: 'token deposit',
  notice: 'bank notice',
  case: 'case',
};

export function nounOf(subject: Subject): string {
  if (subject.kind === 'movement') return subject.movement_kind;
  return subject.kind === 'transaction' ? subject.type : NOUNS[subject.kind];
}

export function amountOf(subject: Subject): string {
  if (subject.amount === null) return '';
  const asset = tokenOf(subject);
  return asset === null ? naira(subject.amount) : `${digits(subject.amount)} ${asset}`;
}

type InToken = DepositSubject | MovementSubject;

export function tokenOf(subject: object | InToken): string | null {
  return 'asset' in subject && subject.network !== null ? subject.asset : null;
}

/**
 * `posts` is the amount in naira that the action would post. It never comes from the amount of the record: after a short
 * payment, the service refunds only the received amount.
 */
export function actionLabel(action: ActionName, subject: Subject, posts: string | null): string {
  const sum = posts === null ? nounOf(subject) : naira(posts);
  const noun = nounOf(subject);
  switch (action) {
    case 'match':
      return 'Match with another transaction';
    case 'split':
      return `Split ${sum}`;
    case 'refund':
      if (subject.kind === 'case') return 'Return the tokens';
      return subject.kind === 'movement' ? 'Set refund destination' : `Refund ${sum}`;
    case 'write_off':
      return `Write off ${noun}`;
    case 'own_funds':
      return 'Book as own funds';
    case 'release':
      return `Release ${noun}`;
    case 'loss':
      return 'Book as a loss';
    case 'dismiss':
      return `Dismiss ${noun}`;
    case 'pay_again':
      return posts === null ? 'Pay again' : `Pay ${sum} again`;
    case 'paid':
      return 'Record as paid';
    case 'unpaid':
      return 'Record as not paid';
    case 'recovered':
      return 'Book as recovered';
    case 'accepted':
      return 'Accept the loss';
    case 'counted':
      if (subject.kind === 'case' && subject.case_kind === 'credit_not_found') return 'Count as a reversal';
      return subject.kind === 'case' && subject.case_kind === 'report_left_over'
        ? 'Count as a credit'
        : 'Count the late payout';
    case 'explained':
      return 'Close as explained';
    case 'reject':
      return `Reject ${noun}`;
  }
}

export type Review = GetReviewAnswer;
export type AnyProposal = OpenProposal | ShownProposal;
export type ActionName = PossibleAction['action'];

type Fields<Each> = Each extends unknown ? keyof Each : never;

export type SubjectField = Fields<Subject>;

/** Undefined means that a record of this kind does not have the field. */
export function fieldOf(subject: Subject, field: SubjectField): unknown {
  return (subject as Partial<Record<SubjectField, unknown>>)[field];
}
