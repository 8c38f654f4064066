// The failure of a call: the message of the service, and what it means for the person.
import type { ErrorAnswer } from './console-types.ts';

type FieldMistake = ErrorAnswer['errors'][number];

/** The service refused the call, or was unreachable (then `status` is 0). */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly mistakes: readonly FieldMistake[];
  readonly requestId: string | null;

  constructor(
    status: number,
    given: { code: string; message: string; mistakes?: readonly FieldMistake[]; requestId?: string | null },
  ) {
    super(given.message);
    this.name = 'ApiFailure';
    this.status = status;
    this.code = given.code;
    this.mistakes = given.mistakes ?? [];
    this.requestId = given.requestId ?? null;
  }

  /** Whether the same call may succeed later without a change. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export function failureOf(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  const message = error instanceof Error ? error.message : 'Something unexpected happened on this page.';
  return new ApiFailure(-1, { code: 'page_error', message });
}

/** The message about one field of a form. */
export function mistakeOf(error: unknown, field: string): string | undefined {
  return error instanceof ApiFailure
    ? error.mistakes.find((each) => each.field === field || each.field.startsWith(`${field}.`))?.message
    : undefined;
}

/** The first message about each field. */
export function mistakesIn(error: unknown): Record<string, string> {
  const mistakes = error instanceof ApiFailure ? error.mistakes : [];
  return Object.fromEntries(mistakes.toReversed().map(({ field, message }) => [field, message]));
}

/** Undefined: every error is about one of these fields, and only the field shows it. */
export function errorBeyondFields(error: unknown, ...fields: readonly string[]): unknown {
  const wrong = Object.keys(mistakesIn(error));
  return wrong.length > 0 && wrong.every((field) => fields.includes(field)) ? undefined : error;
}
