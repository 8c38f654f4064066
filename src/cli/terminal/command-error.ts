// Failures of commands: a message for the operator, and an exit code for scripts (docs/operate/command-line.md).
import type { Json } from './json.ts';

export const EXIT_CODES = {
  ok: 0,
  failed: 1,
  /** An argument, an option or a setting is wrong. */
  usage: 2,
  not_found: 3,
  /** The person's role does not allow the command, or a person must sign in first. */
  not_allowed: 4,
  /** A rule or the current state does not allow the command. */
  conflict: 5,
  /** The service, the database or a network cannot be reached. */
  unreachable: 6,
  interrupted: 130,
} as const;

export type ExitWord = keyof typeof EXIT_CODES;

/** A failure that the operator can correct. It is printed without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exit: ExitWord;
  /** The result up to the failure. With --json, this result is printed instead of the error. */
  readonly answer: Json | undefined;

  constructor(message: string, exit: ExitWord = 'failed', answer?: Json) {
    super(message);
    this.exit = exit;
    this.answer = answer;
  }
}

export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, 'usage');
  }
}

export function refusalError(error: { readonly code: string; readonly message: string }): CommandError {
  return new CommandError(error.message, exitWordOfCode(error.code));
}

const EXITS: Readonly<Record<string, ExitWord>> = {
  invalid: 'usage',
  invalid_body: 'usage',
  sign_in_needed: 'not_allowed',
  not_a_person: 'not_allowed',
  not_allowed: 'not_allowed',
  same_person: 'not_allowed',
  step_up_needed: 'not_allowed',
  step_up_old: 'not_allowed',
  step_up_used: 'not_allowed',
  unauthorized: 'not_allowed',
  business_mismatch: 'not_allowed',
  test_mode_only: 'not_allowed',
  key_scope: 'not_allowed',
  unavailable: 'unreachable',
};

function exitWordOfCode(code: string): ExitWord {
  if (code === 'not_found' || code.endsWith('_not_found')) return 'not_found';
  return EXITS[code] ?? 'conflict';
}

/** The error codes of a driver that cannot connect to the database, or whose connection the server closed. */
const UNREACHABLE = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
  ...['EPIPE', '57P01', '57P02', '57P03', '53300', '08000', '08001', '08003', '08006'],
];

export function exitWordOfError(error: unknown): ExitWord {
  if (error instanceof CommandError) return error.exit;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === 'string' && UNREACHABLE.includes(code)) return 'unreachable';
  return cause === undefined || cause === error ? 'failed' : exitWordOfError(cause ?? {});
}
