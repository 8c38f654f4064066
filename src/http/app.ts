// Makes one HTTP application: time limits, request ids, strict bodies, the common error body for every failure, and one log
// line and one metric for each response. servers.ts adds the routes.
import type { Socket } from 'node:net';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { type Refusal, refusal } from '../domain/values/refusals.ts';
import { StoreUnavailable } from '../ports/store/store.ts';
import type { Admission } from './admission/admission.ts';
import { dropStragglersOnClose, makeConnections } from './admission/connections.ts';
import { makeNodeServer, type NodeServerOptions } from './admission/node-server.ts';
import { makeRawAnswers } from './admission/raw-answers.ts';
import type { Traffic } from './admission/traffic.ts';
import { bodyTooLargeRefusal, NO_SUCH_PATH, STATUS_OF_CODE, sendRefusal } from './errors.ts';
import type { Metrics } from './metrics.ts';
import { type AllowedMethods, collectAllowedMethods, pathOf } from './requests/allowed-methods.ts';
import { RefusalError, readJsonBodies } from './requests/body-parser.ts';
import { maskKeysAndAccounts } from './requests/masking.ts';
import { type QuerySchema, validateQuery } from './requests/query-check.ts';
import { findHeadRefusal, hasPercentInPath } from './requests/request-checks.ts';
import { compileShapeCheck } from './requests/shape-check.ts';

export interface AppTransport extends NodeServerOptions {
  readonly trustProxy: number | string[] | false;
  readonly bodyLimitBytes: number;
  readonly writeTimeoutMs: number;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Marks the request body as a large file. The upload may take any time as long as bytes arrive. */
    takeUpload(raw: FastifyReply['raw']): void;
  }
}

export interface AppOptions {
  readonly transport: AppTransport;
  readonly traffic: Traffic;
  readonly admission: Pick<Admission, 'withoutKey' | 'answered'>;
  readonly log: Logger;
  /** The logger that writes one line per response. The line contains nothing that must be redacted. */
  readonly accessLog: Logger;
  readonly metrics: Metrics;
  readonly makeRequestId: () => string;
  /** Whether the service is shutting down. Every response then asks the client to close its connection. */
  readonly draining: () => boolean;
}

export function makeApp(options: AppOptions): FastifyInstance {
  const { transport, traffic, admission } = options;
  const { writeTimeoutMs, requestTimeoutMs } = transport;
  const rawAnswers = makeRawAnswers(options.makeRequestId, options.metrics);
  const connections = makeConnections({
    traffic,
    writeTimeoutMs,
    requestTimeoutMs,
    refuse: rawAnswers.tooManyAtOnce,
    answered: admission.answered,
  });
  const timedOut = new WeakSet<Socket>();
  const onCutOff = (socket: Socket, { code }: NodeJS.ErrnoException) => {
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT') timedOut.add(socket);
  };
  const app = Fastify({
    logger: false,
    genReqId: options.makeRequestId,
    trustProxy: trustedProxies(transport.trustProxy),
    bodyLimit: transport.bodyLimitBytes,
    return503OnClosing: false, // a request that arrived before the close is served
    serverFactory: (handler) => makeNodeServer(transport, { connections, rawAnswers, onCutOff }, handler),
    clientErrorHandler: () => undefined, // node-server.ts handles these errors, for every address
    // The URL of this request cannot be decoded, and no hook has run.
    frameworkErrors: (_error, request, reply: FastifyReply) =>
      answerUnknownPath(options, methods, request, reply.headers(ON_EVERY_ANSWER)),
  }) as FastifyInstance;

  dropStragglersOnClose(app, connections, writeTimeoutMs);
  app.decorate('asStream', connections.release);
  app.decorate('takeUpload', connections.takeUpload);
  const methods = collectAllowedMethods(app);
  readJsonBodies(app);
  app.decorateRequest('caller', null);
  app.decorateRequest('turnedAway', false);
  app.decorateRequest('refusedWith', null);
  checkInputs(app);
  addHooks(app, options, methods);
  app.setNotFoundHandler((request, reply) => answerUnknownPath(options, methods, request, reply));
  answerErrors(app, options, (request) => timedOut.has(request.raw.socket));
  return app;
}

/** Checks the shape of bodies and the names of query parameters against the schemas. The routes check the values. */
function checkInputs(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart === 'querystring') return validateQuery(schema as QuerySchema);
    if (httpPart !== 'body') return () => true;
    const check = compileShapeCheck(schema as Parameters<typeof compileShapeCheck>[0]);
    return (body) => {
      const [first, ...rest] = check(body);
      if (first === undefined) return true;
      const errors = first.field === '' ? [] : [first, ...rest];
      return { error: new RefusalError({ code: first.code, message: first.message, errors }) };
    };
  });
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
}

function addHooks(app: FastifyInstance, options: AppOptions, methods: AllowedMethods): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id);
    reply.header(NOSNIFF[0], NOSNIFF[1]);
    const malformed = findHeadRefusal(request.raw);
    if (malformed !== undefined) sendRefusal(reply.header('connection', 'close'), malformed);
    // The service refuses a request for an unknown path before it reads the body and the key.
    else if (request.is404 || methods.wasMisled(request)) answerUnknownPath(options, methods, request, reply);
    else done();
  });
  // This hook runs when the response is sent, because the shutdown may have started after the request arrived.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (options.draining()) reply.header('connection', 'close');
    if (!reply.hasHeader(NO_STORE[0])) reply.header(NO_STORE[0], NO_STORE[1]);
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    options.metrics.observeRequest(request, reply);
    logAnswer(options.accessLog, request, reply);
    done();
  });
}

function answerErrors(
  app: FastifyInstance,
  { log, transport }: AppOptions,
  hasTimedOut: (request: FastifyRequest) => boolean,
): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (isCutOff(error, request)) {
      const why = hasTimedOut(request) ? TIMED_OUT : HUNG_UP;
      log.info({ why: why.message, request_id: request.id }, 'a request was cut off');
      return sendRefusal(reply, why); // the client has already disconnected; this only ends the request
    }
    const answer = refusalFor(error, transport.bodyLimitBytes);
    if (error instanceof StoreUnavailable) {
      log.warn({ why: error.message, request_id: request.id }, 'the database did not answer');
    } else if (STATUS_OF_CODE[answer.code] >= 500) {
      log.error({ err: error, request_id: request.id, route: request.routeOptions.url }, answer.message);
    }
    return sendRefusal(reply, answer);
  });
}

function trustedProxies(given: AppTransport['trustProxy']) {
  return typeof given === 'number' ? (_address: string, hop: number) => hop < given : given;
}

const NOSNIFF = ['x-content-type-options', 'nosniff'] as const;
const NO_STORE = ['cache-control', 'no-store'] as const;
const ON_EVERY_ANSWER = Object.fromEntries([NOSNIFF, NO_STORE]);
const TIMED_OUT = refusal('request_timeout', 'The request did not arrive in time. Send it again.');
const HUNG_UP = refusal(
  'malformed_request',
  'The client closed the connection before the body was complete.',
);
const DATABASE_AWAY = refusal(
  'unavailable',
  'The service cannot reach its database. Try again with the same reference.',
);
const BROKEN = refusal(
  'internal_error',
  'The service failed. The failure is logged under request_id: send that id to the operator.',
);

function refusalFor(error: FastifyError | RefusalError | StoreUnavailable, bodyLimitBytes: number): Refusal {
  if (error instanceof RefusalError) return error.refusal;
  if (error instanceof StoreUnavailable) return DATABASE_AWAY;
  switch ((error as FastifyError).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLargeRefusal(bodyLimitBytes);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refusal(
        'unsupported_media_type',
        'Send the body as JSON, with the header content-type: application/json.',
      );
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refusal(
        'malformed_request',
        'The Content-Length header does not match the body. Send the length of the body in bytes.',
      );
    default:
      return BROKEN;
  }
}

/** The client or a time limit closed the connection before the body was complete. */
function isCutOff(error: Error & { code?: string }, request: FastifyRequest): boolean {
  return error.code === 'ECONNRESET' && request.raw.destroyed && !request.raw.complete;
}

function answerUnknownPath(
  { admission }: Pick<AppOptions, 'admission'>,
  methods: AllowedMethods,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const turnedAway = admission.withoutKey(request, reply);
  if (turnedAway !== undefined) return sendRefusal(reply, turnedAway);
  if (hasPercentInPath(request.url)) return sendRefusal(reply, NO_SUCH_PATH);
  const allowed = methods.of(pathOf(request.url));
  if (allowed.length === 0 || allowed.includes(request.method)) return sendRefusal(reply, NO_SUCH_PATH);
  reply.header('allow', allowed.join(', '));
  return sendRefusal(
    reply,
    refusal('method_not_allowed', `This path does not accept ${request.method}. Use ${allowed.join(', ')}.`),
  );
}

/** If a client put its key into the path by mistake, the key is masked in the log. */
function logAnswer(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  if (!log.isLevelEnabled('info') || request.turnedAway) return;
  log.info(
    {
      request_id: request.id,
      method: request.method,
      path: maskKeysAndAccounts(pathOf(request.url)).slice(0, 200),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      key_id: request.caller?.key.id,
    },
    'answered',
  );
}
