// Responds to input that does not reach the application: malformed HTTP, time-outs, CONNECT, Expect, and too many requests on
// one connection. These responses have the common error body, and the metrics count them like all responses.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import { errorBody, RETRY_AFTER_S } from '../errors.ts';
import type { Metrics } from '../metrics.ts';

interface RawHttpAnswer {
  readonly status: number;
  readonly reason: string;
  readonly refusal: Refusal;
  readonly allow?: string;
}

export interface RawAnswers {
  /** Handles a parse error or a time-out on a connection without a pending response. */
  broken(error: NodeJS.ErrnoException, socket: Socket): void;
  connect(socket: Socket): void;
  unmetExpectation(response: ServerResponse): void;
  tooManyAtOnce(response: ServerResponse): void;
}

const BY_CODE: Readonly<Record<string, RawHttpAnswer>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    refusal: refusal(
      'malformed_request',
      'The request headers are too large. Send fewer or shorter headers.',
    ),
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    reason: 'Content Too Large',
    refusal: refusal(
      'body_too_large',
      'The chunk extensions of the body are too large. Send chunks without extensions.',
    ),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    refusal: refusal('request_timeout', 'The request did not arrive in time. Send it again.'),
  },
};
const MALFORMED: RawHttpAnswer = {
  status: 400,
  reason: 'Bad Request',
  refusal: refusal(
    'malformed_request',
    'The bytes received are not a well-formed HTTP request. Check the client, and whether the URL needs http or https.',
  ),
};
const NO_TUNNELS: RawHttpAnswer = {
  status: 405,
  reason: 'Method Not Allowed',
  refusal: refusal('method_not_allowed', 'CONNECT is not supported: this service is not a proxy.'),
  allow: 'GET, HEAD, POST, PUT',
};
const UNMET: RawHttpAnswer = {
  status: 417,
  reason: 'Expectation Failed',
  refusal: refusal(
    'malformed_request',
    'The value of the Expect header is not supported. Send 100-continue, or no Expect header.',
  ),
};
const TOO_MANY_AT_ONCE: RawHttpAnswer = {
  status: 429,
  reason: 'Too Many Requests',
  refusal: refusal(
    'rate_limited',
    'Too many requests at once on one connection. Requests sent after this one were not processed: send them again.',
  ),
};

export function makeRawAnswers(makeRequestId: () => string, metrics: Metrics): RawAnswers {
  const render = ({ refusal: why, allow }: RawHttpAnswer) => {
    const requestId = makeRequestId();
    const body = errorBody(why, requestId);
    const retryAfterS = RETRY_AFTER_S[why.code];
    return {
      body,
      headers: {
        connection: 'close',
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        'request-id': requestId,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        ...(retryAfterS !== undefined && { 'retry-after': String(retryAfterS) }),
        ...(allow !== undefined && { allow }),
      },
    };
  };
  const onSocket = (socket: Socket, answer: RawHttpAnswer): void => {
    metrics.observeRaw(answer.status);
    const { body, headers } = render(answer);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${answer.status} ${answer.reason}\r\n${lines.join('')}\r\n${body}`, () =>
      socket.destroySoon(),
    );
  };
  const onResponse = (response: ServerResponse<IncomingMessage>, answer: RawHttpAnswer): void => {
    metrics.observeRaw(answer.status);
    const { body, headers } = render(answer);
    response.writeHead(answer.status, headers);
    response.end(body);
  };
  return {
    broken: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else onSocket(socket, BY_CODE[error.code ?? ''] ?? MALFORMED);
    },
    connect: (socket) => onSocket(socket, NO_TUNNELS),
    unmetExpectation: (response) => onResponse(response, UNMET),
    tooManyAtOnce: (response) => onResponse(response, TOO_MANY_AT_ONCE),
  };
}
