// The refusals of the console: the codes that only the console has, in addition to those of the API (src/http/errors.ts), their
// HTTP status, and the common error body. docs/extend/console-api.md explains each code; a test checks that both lists are the
// same.
import type { FastifyReply } from 'fastify';
import { type FieldError, type RefusalCode, refusal } from '../../domain/values/refusals.ts';
import { RETRY_AFTER_S, STATUS_OF_CODE } from '../errors.ts';

export const CONSOLE_STATUS = {
  not_signed_in: 401,
  sign_in_failed: 401,
  sign_in_ended: 401,
  sign_in_locked: 429,
  sign_in_busy: 429,
  foreign_origin: 403,
  csrf_token_wrong: 403,
  not_a_navigation: 403,
  not_allowed: 403,
  step_up_needed: 403,
  step_up_old: 403,
  step_up_used: 403,
  step_up_locked: 429,
  wrong_factor: 422,
  wrong_code: 422,
  wrong_answer: 422,
  wrong_password: 422,
  same_password: 422,
  weak_password: 422,
  no_totp_begun: 409,
  belongs_to_another: 409,
  has_second_factor: 409,
  last_second_factor: 409,
  reset_ended: 410,
  email_invalid: 422,
  role_invalid: 422,
  name_invalid: 422,
  business_name_invalid: 422,
  link_tag_invalid: 422,
  link_tag_taken: 409,
  already_member: 409,
  last_owner: 409,
  last_admin: 409,
  invitation_ended: 410,
  sign_in_first: 409,
  other_address: 403,
  not_waiting: 409,
  // decisions
  invalid: 422,
  not_possible: 409,
  changed: 409,
  same_person: 403,
  not_a_person: 403,
  already_decided: 409,
  busy: 409,
} as const satisfies Readonly<Record<string, number>>;

export type ConsoleCode = keyof typeof CONSOLE_STATUS;

export interface ConsoleRefusal {
  readonly code: ConsoleCode | RefusalCode;
  readonly message: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterS?: number;
}

/** These refusals end soon: a slot to check a password becomes free, or another request finishes its change of the record. */
const CONSOLE_RETRY_AFTER_S: Readonly<Partial<Record<ConsoleCode, number>>> = { sign_in_busy: 2, busy: 1 };

export function statusOf(code: ConsoleRefusal['code']): number {
  return code in CONSOLE_STATUS ? CONSOLE_STATUS[code as ConsoleCode] : STATUS_OF_CODE[code as RefusalCode];
}

export function sendConsoleRefusal(reply: FastifyReply, refused: ConsoleRefusal): FastifyReply {
  const { code, message, errors = [] } = refused;
  const known = CONSOLE_RETRY_AFTER_S[code as ConsoleCode] ?? RETRY_AFTER_S[code as RefusalCode];
  const retryAfterS = refused.retryAfterS ?? known;
  if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS);
  return reply
    .code(statusOf(code))
    .header('content-type', 'application/json; charset=utf-8')
    .send({ status: 'error', message, code, errors, request_id: reply.request.id });
}

export const NOT_SIGNED_IN: ConsoleRefusal = {
  code: 'not_signed_in',
  message: 'Sign in first: you have no session, or it has expired.',
};
export const FOREIGN_ORIGIN: ConsoleRefusal = {
  code: 'foreign_origin',
  message:
    'The request does not come from a page of this service. Its Origin header must be the public address.',
};
export const CSRF_TOKEN_WRONG: ConsoleRefusal = {
  code: 'csrf_token_wrong',
  message: 'Send the csrf_token from GET /console/v1/session in the header x-csrf-token.',
};
export const NOT_A_NAVIGATION: ConsoleRefusal = {
  code: 'not_a_navigation',
  message: 'Open this address in a browser window. A page cannot embed it.',
};
export const NOT_ALLOWED: ConsoleRefusal = {
  code: 'not_allowed',
  message: 'Your role does not allow this. Ask an owner of the business or an admin.',
};
/** The message is the same for a business that does not exist and for a business of which the person is not a member. */
export const NO_SUCH_BUSINESS = refusal(
  'not_found',
  'There is no such business, or you are not a member of it.',
);
/** The message is the same for a record that does not exist and for a record of another business. */
export const NO_SUCH_RECORD = refusal('not_found', 'There is no such record here. Check the id.');
export const NO_PROVIDER = refusal(
  'not_found',
  'No identity provider is configured here. Sign in with your password at /app/sign-in.',
);
export const JSON_ONLY = refusal(
  'unsupported_media_type',
  'Send the body as JSON, with the header content-type: application/json.',
);
export const BYTES_ONLY = refusal(
  'unsupported_media_type',
  'Send the file unchanged, with the header content-type: application/octet-stream.',
);
export const TOO_OFTEN: ConsoleRefusal = {
  code: 'rate_limited',
  message: 'Too many attempts from this address. Wait for the number of seconds in the retry-after header.',
  retryAfterS: 15,
};
export const PASSWORDS_BUSY: ConsoleRefusal = {
  code: 'sign_in_busy',
  message: 'Too many passwords are being checked. Try again in a few seconds.',
};
