// The failure of a call to the service, with the message of the service and its meaning for the person.
import type { ErrorAnswer } from './console-types.ts';

type FieldMistake = ErrorAnswer['errors'][number];

/** The service refused the call, or the service was unreachable. In the second case `status` is 0. */
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

  /** True means that the same call may succeed later. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export function failureOf(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  const message = error instanceof Error ? error.message : 'Something unexpected happened on this page.';
  return new ApiFailure(-1, { code: 'page_error', message });
}

export function mistakeOf(error: unknown, field: string): string | undefined {
  return error instanceof ApiFailure
    ? error.mistakes.find((each) => each.field === field || each.field.startsWith(`${field}.`))?.message
    : undefined;
}

export function mistakesIn(error: unknown): Record<string, string> {
  const mistakes = error instanceof ApiFailure ? error.mistakes : [];
  return Object.fromEntries(mistakes.toReversed().map(({ field, message }) => [field, message]));
}

/** Returns undefined if every error is about one of these fields, because each field shows its own error. */
export function errorBeyondFields(error: unknown, ...fields: readonly string[]): unknown {
  const wrong = Object.keys(mistakesIn(error));
  return wrong.length > 0 && wrong.every((field) => fields.includes(field)) ? undefined : error;
}
