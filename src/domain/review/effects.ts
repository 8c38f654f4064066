// Describes, as sentences, the effects of a planned change other than its postings. A reviewer reads them before the change is
// confirmed.
import type { Change } from '../records/change.ts';
import type { Movement } from '../records/movement.ts';
import { formatNaira } from '../values/money.ts';
import { formatRefundTarget } from './describe-review-request.ts';

export interface Effect {
  readonly text: string;
  /** The id of the record that the effect changes. Null: the record does not exist yet. */
  readonly subjectId: string | null;
}

export function describeEffects(change: Change): readonly Effect[] {
  return [
    ...(change.transactions ?? []).map(({ after, line }) => ({
      subjectId: after.id,
      text:
        line === null || line.from === line.to
          ? `The ${after.type} stays ${codeToWords(after.state)}`
          : `The ${after.type} goes from ${codeToWords(line.from)} to ${codeToWords(line.to)}`,
    })),
    ...(change.credits ?? []).map(({ after }) => describeNewState('The bank credit', after)),
    ...(change.newCredits ?? []).map(({ amountMinor }) => ({
      ...{ subjectId: null, text: `A part of ${formatNaira(amountMinor)} becomes a bank credit of its own` },
    })),
    ...(change.deposits ?? []).map(({ after }) => describeNewState('The deposit', after)),
    ...(change.newMovements ?? []).map((movement) => ({
      subjectId: null,
      text: describeNewMovement(movement),
    })),
    ...(change.movements ?? []).map(({ after }) => describeMovement(after)),
    ...describeClosedCases(change.closeCases ?? []),
    ...(change.notices ?? []).map(({ after: { id } }) => ({ subjectId: id, text: 'The notice is closed' })),
    ...(change.resume === undefined
      ? []
      : [{ subjectId: null, text: `Sends of ${change.resume.asset} (${change.resume.mode}) continue` }]),
  ];
}

/** The cases of a statement file are ended together: one sentence is enough for them. */
const MOST_LISTED_CASES = 10;

function describeClosedCases(closed: NonNullable<Change['closeCases']>): readonly Effect[] {
  if (closed.length > MOST_LISTED_CASES) {
    const text = `${closed.length} cases are closed: ${codeToWords(closed[0]!.outcome)}`;
    return [{ subjectId: null, text }];
  }
  return closed.map(({ id, outcome }) => ({
    ...{ subjectId: id, text: `The case is closed: ${codeToWords(outcome)}` },
  }));
}

function describeNewState(
  what: string,
  { id, state }: { readonly id: string; readonly state: string },
): Effect {
  return { subjectId: id, text: `${what} becomes ${codeToWords(state)}` };
}

function describeNewMovement({ kind, nairaMinor, destination }: Movement): string {
  const amount = formatNaira(nairaMinor);
  return destination === null
    ? `A ${kind} of ${amount} begins and waits for a destination`
    : `A ${kind} of ${amount} goes to ${formatRefundTarget(destination)}`;
}

function describeMovement({ id, kind, state, destination, nairaMinor }: Movement): Effect {
  const to = destination === null ? '' : ` to ${formatRefundTarget(destination)}`;
  return { subjectId: id, text: `The ${kind} of ${formatNaira(nairaMinor)}${to} is ${codeToWords(state)}` };
}

function codeToWords(code: string): string {
  return code.replaceAll('_', ' ');
}
