// Who may propose and decide: a person who is signed in, and no other name. Two ids are two people; two names were not.

import { isPerson } from '../../domain/people/actor.ts';
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { isPlainText } from '../input/field-rules.ts';

const REASON_MAX = 500;

export function checkPerson(actor: string): Result<string, ReviewRefusal> {
  if (isPerson(actor)) return ok(actor);
  return refuse('sign_in_needed', 'Only a signed-in person may do this. Sign in first: bin/sliproad login');
}

export function checkReason(text: string): Result<string, ReviewRefusal> {
  const reason = text.trim();
  if (reason !== '' && reason.length <= REASON_MAX && isPlainText(reason)) return ok(reason);
  return refuse('invalid', `Give a reason in at most ${REASON_MAX} characters, on one line.`);
}
