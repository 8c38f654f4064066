// One HTTP application: time limits, request ids, strict bodies, the common error body for whatever goes wrong, one
// log line and one metric per answer. Routes are added by the servers in servers.ts.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { type Refusal, refusal } from '../domain/refusals.ts';
import { StoreUnavailable } from '../ports/store.ts';
import { type AllowedMethods, collectAllowedMethods, pathOf } from './allowed-methods.ts';
import { RefusalError, readJsonBodies } from './body-parser.ts';
import { errorBody, STATUS, sendRefusal } from './errors.ts';
import type { Metrics } from './metrics.ts';
import { compileShape } from './shape.ts';
import { dropStragglersOnClose } from './stragglers.ts';

export interface AppOptions {
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  readonly trustProxy: number | string[] | false;
  readonly bodyLimitBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly log: Logger;
  /** For the line per answer, which holds nothing that could need redaction. */
  readonly accessLog: Logger;
  readonly metrics: Metrics;
  readonly makeRequestId: () => string;
  /** While true, every answer asks the client to close its connection. */
  readonly draining: () => boolean;
}

export function makeApp(options: AppOptions): FastifyInstance {
  const server = {
    headersTimeout: options.headersTimeoutMs,
    requireHostHeader: false, // nothing here depends on it, and Node's own refusal has no body
    requestTimeout: options.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, options.headersTimeoutMs),
  };
  const app = Fastify({
    logger: false,
    genReqId: options.makeRequestId,
    trustProxy: trustedProxies(options.trustProxy),
    bodyLimit: options.bodyLimitBytes,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: options.keepAliveTimeoutMs,
    return503OnClosing: false, // whoever got in before the doors closed is served
    clientErrorHandler: (error, socket) => {
      const answer = owed.on(socket as Socket);
      // Somebody's answer comes first on this connection; nothing may be written in its place.
      if (answer === undefined) answerBrokenRequest(error, socket as Socket, options.makeRequestId());
      else answer.once('close', () => socket.destroy());
    },
    frameworkErrors: (_error, _request, reply: FastifyReply) => sendRefusal(reply, NOT_FOUND),
    ...(options.tls === null ? { http: server } : { https: { ...server, ...options.tls } }),
  }) as unknown as FastifyInstance; // http and https applications differ only in their server's type

  const owed = dropStragglersOnClose(app);
  answerUnmetExpectations(app, options.makeRequestId);
  const methods = collectAllowedMethods(app);
  readJsonBodies(app);
  app.decorateRequest('caller', null);
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart !== 'body') return () => true;
    const check = compileShape(schema as Parameters<typeof compileShape>[0]);
    return (body) => {
      const [first, ...rest] = check(body);
      if (first === undefined) return true;
      const errors = first.field === '' ? [] : [first, ...rest];
      return { error: new RefusalError({ code: first.code, message: first.message, errors }) };
    };
  });
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id);
    // Before the body is read and before the key is: a wrong address has no business with either.
    if (request.is404 || methods.wasMisled(request)) answerUnknown(methods, request, reply);
    else done();
  });
  // At the very end: a request may have come in before the draining began.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (options.draining()) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    options.metrics.observeRequest(request, reply);
    logAnswer(options.accessLog, request, reply);
    done();
  });
  app.setNotFoundHandler((request, reply) => answerUnknown(methods, request, reply));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = refusalFor(error);
    if (error instanceof StoreUnavailable) {
      options.log.warn({ why: error.message, request_id: request.id }, 'the database did not answer');
    } else if (STATUS[answer.code] >= 500) {
      options.log.error(
        { err: error, request_id: request.id, route: request.routeOptions.url },
        answer.message,
      );
    }
    return sendRefusal(reply, answer);
  });
  return app;
}

function trustedProxies(given: AppOptions['trustProxy']) {
  return typeof given === 'number' ? (_address: string, hop: number) => hop < given : given;
}

const NOT_FOUND = refusal('not_found', 'There is nothing at this address.');
const TOO_LARGE = refusal('body_too_large', 'The body is larger than allowed.');
const AWAY = refusal(
  'unavailable',
  'The service cannot reach its database; try again with the same reference.',
);
const BROKEN = refusal('internal_error', 'Something went wrong on our side; it has been recorded.');

function refusalFor(error: FastifyError | RefusalError | StoreUnavailable): Refusal {
  if (error instanceof RefusalError) return error.refusal;
  if (error instanceof StoreUnavailable) return AWAY;
  switch ((error as FastifyError).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return TOO_LARGE;
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refusal('unsupported_media_type', 'Send the body as application/json.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refusal('malformed_request', 'The body is not as long as Content-Length says.');
    default:
      return BROKEN;
  }
}

function answerUnknown(methods: AllowedMethods, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const allowed = methods.of(pathOf(request.url));
  if (allowed.length === 0 || allowed.includes(request.method)) return sendRefusal(reply, NOT_FOUND);
  reply.header('allow', allowed.join(', '));
  return sendRefusal(reply, refusal('method_not_allowed', `This address takes ${allowed.join(', ')}.`));
}

/** A key pasted into the path by mistake is not written down either. */
function withoutKeys(path: string): string {
  return path.includes('sk') ? path.replaceAll(/sk(_|%5f)(live|test)[\w%]*/gi, 'sk_$2_…') : path;
}

function logAnswer(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  if (!log.isLevelEnabled('info')) return;
  log.info(
    {
      request_id: request.id,
      method: request.method,
      path: withoutKeys(pathOf(request.url)).slice(0, 200),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      key_id: request.caller?.key.id,
    },
    'answered',
  );
}

const UNMET = refusal('malformed_request', 'The Expect header asks for something this service does not do.');

/** `Expect: 100-continue` is Node's to answer; anything else expected is something we cannot meet. */
function answerUnmetExpectations(app: FastifyInstance, makeRequestId: () => string): void {
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const requestId = makeRequestId();
    const body = errorBody(UNMET, requestId);
    response.writeHead(417, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'request-id': requestId,
      connection: 'close',
    });
    response.end(body);
  });
}

const RAW_STATUS: Readonly<Record<string, { line: string; refusal: Refusal }>> = {
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    refusal: refusal('malformed_request', 'The request headers are too large.'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    line: '408 Request Timeout',
    refusal: refusal('request_timeout', 'The request did not arrive in time.'),
  },
};
const MALFORMED = {
  line: '400 Bad Request',
  refusal: refusal('malformed_request', 'This is not a well-formed HTTP request.'),
};

/** Bytes that never became a request still get the common body. */
function answerBrokenRequest(error: Error, socket: Socket, requestId: string): void {
  if ((error as NodeJS.ErrnoException).code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { line, refusal: why } = RAW_STATUS[(error as NodeJS.ErrnoException).code ?? ''] ?? MALFORMED;
  const body = errorBody(why, requestId);
  socket.end(
    `HTTP/1.1 ${line}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
