// Who acts: a name without room for a second spelling, because two names must mean two people.

import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { isPlainText } from '../intake/field-rules.ts';

const PERSON = /^[A-Za-z]+:[A-Za-z0-9._@+-]{1,80}$/;
const REASON_MAX = 500;

/** `cli:ada`: where they were known from, and who. */
export function checkPerson(actor: string): Result<string, ReviewRefusal> {
  if (PERSON.test(actor)) return ok(actor);
  return refuse('invalid', 'A person is named with letters, digits and . _ @ + - only.');
}

export function checkReason(text: string): Result<string, ReviewRefusal> {
  const reason = text.trim();
  if (reason !== '' && reason.length <= REASON_MAX && isPlainText(reason)) return ok(reason);
  return refuse('invalid', `Give a reason in at most ${REASON_MAX} characters, on one line.`);
}
