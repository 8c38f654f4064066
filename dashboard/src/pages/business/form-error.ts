// A refusal is said once: at its field where the form has it, below the form otherwise.
import { ApiFailure } from '../../api/failure.ts';

/** Undefined: every mistake is about one of these fields, and is shown there. */
export function beyondFields(error: unknown, ...fields: readonly string[]): unknown {
  if (!(error instanceof ApiFailure) || error.mistakes.length === 0) return error;
  return error.mistakes.every(({ field }) => fields.includes(field)) ? undefined : error;
}
