// Names for what several pages show: a review of a record, a proposal in a list or alone.
import type {
  GetReviewAnswer,
  OpenProposal,
  PossibleAction,
  ShownProposal,
  Subject,
} from '../../../api/console-types.ts';

export type Review = GetReviewAnswer;
export type AnyProposal = OpenProposal | ShownProposal;
export type ActionName = PossibleAction['action'];

type Fields<Each> = Each extends unknown ? keyof Each : never;

/** A field that a record has, of whatever kind it is. */
export type SubjectField = Fields<Subject>;

/** Undefined: a record of this kind does not have the field. */
export function fieldOf(subject: Subject, field: SubjectField): unknown {
  return (subject as Partial<Record<SubjectField, unknown>>)[field];
}
