// Converts an error of the connection to an endpoint into the outcome of the attempt, with a text for the business. The text
// contains only the error code. An address or a text from a library could reveal the operator's network.
import { errors } from 'undici';
import type { WebhookProblem } from '../../ports/webhooks.ts';
import { RefusedAddressError, UnresolvedHostError } from './connector.ts';

export type AttemptFailure =
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'failed'; readonly problem: WebhookProblem; readonly detail: string };

export const MOST_HEADER_BYTES = 16_384;

const DETAILS: Readonly<Record<WebhookProblem, string>> = {
  timeout: 'The endpoint did not answer in time',
  connection: 'The connection failed or was closed before the answer was complete',
  tls: 'No secure connection could be established: the certificate or the TLS handshake was rejected',
  dns: 'No address was found for the host name',
  answer_too_large: `The headers of the answer are larger than ${MOST_HEADER_BYTES / 1_024} kB`,
  protocol: 'The answer is not a valid HTTP/1.1 answer',
};
const TLS = /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_|EPROTO$)/;
const TIMEOUT = /^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;

export function failureWith(problem: WebhookProblem, code = ''): AttemptFailure {
  return { kind: 'failed', problem, detail: `${DETAILS[problem]}${code === '' ? '' : ` (${code})`}.` };
}

export function failureOf(error: unknown): AttemptFailure {
  if (error instanceof RefusedAddressError)
    return {
      kind: 'refused',
      detail: 'The host leads to an address that is not public. Change the URL of the endpoint.',
    };
  const code = codeOf(error);
  if (error instanceof UnresolvedHostError) return failureWith('dns', code);
  return failureWith(problemOf(error, code), code);
}

function problemOf(error: unknown, code: string): WebhookProblem {
  if (TLS.test(code)) return 'tls';
  if (TIMEOUT.test(code)) return 'timeout';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'answer_too_large';
  const { message = '' } = error as Partial<Error>;
  // The HTTP parser also reports an error if the connection closes in the middle of a response.
  if (error instanceof errors.HTTPParserError) return /\bEOF\b/.test(message) ? 'connection' : 'protocol';
  // The HTTP client reports these errors if it cannot write the request, or if the endpoint sends an unexpected interim
  // response (100 or 101).
  if (code === 'UND_ERR_INVALID_ARG' || /^bad (?:response|upgrade)$/.test(message)) return 'protocol';
  return 'connection';
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : '';
}
