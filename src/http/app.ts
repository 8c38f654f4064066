// One HTTP application: time limits, request ids, strict bodies, the common error body for whatever goes wrong, one
// log line and one metric per answer. Routes are added by the servers in servers.ts.
import type { Socket } from 'node:net';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { type Refusal, refusal } from '../domain/values/refusals.ts';
import { StoreUnavailable } from '../ports/store/unavailable.ts';
import type { Admission } from './door/admission.ts';
import { makeConnections } from './door/connections.ts';
import { makeNodeServer, type NodeServerOptions } from './door/node-server.ts';
import { makeRawAnswers } from './door/raw-answers.ts';
import { dropStragglersOnClose } from './door/stragglers.ts';
import type { Traffic } from './door/traffic.ts';
import { bodyTooLarge, NO_SUCH_PATH, STATUS, sendRefusal } from './errors.ts';
import type { Metrics } from './metrics.ts';
import { type AllowedMethods, collectAllowedMethods, pathOf } from './requests/allowed-methods.ts';
import { RefusalError, readJsonBodies } from './requests/body-parser.ts';
import { headRefusal, isSpeltOddly } from './requests/request-checks.ts';
import { compileShape } from './requests/shape.ts';

export interface AppOptions extends NodeServerOptions {
  readonly trustProxy: number | string[] | false;
  readonly bodyLimitBytes: number;
  readonly writeTimeoutMs: number;
  readonly traffic: Traffic;
  readonly admission: Pick<Admission, 'withoutKey' | 'answered'>;
  readonly log: Logger;
  /** For the line per answer, which holds nothing that could need redaction. */
  readonly accessLog: Logger;
  readonly metrics: Metrics;
  readonly makeRequestId: () => string;
  /** While true, every answer asks the client to close its connection. */
  readonly draining: () => boolean;
}

export function makeApp(options: AppOptions): FastifyInstance {
  const rawAnswers = makeRawAnswers(options.makeRequestId, options.metrics);
  const connections = makeConnections({
    ...options,
    refuse: rawAnswers.tooManyAtOnce,
    answered: options.admission.answered,
  });
  /** Connections whose request was given up because it did not arrive in time. */
  const timedOut = new WeakSet<Socket>();
  const onCutOff = (socket: Socket, { code }: NodeJS.ErrnoException) => {
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT') timedOut.add(socket);
  };
  const app = Fastify({
    logger: false,
    genReqId: options.makeRequestId,
    trustProxy: trustedProxies(options.trustProxy),
    bodyLimit: options.bodyLimitBytes,
    return503OnClosing: false, // a request that arrived before the close is answered
    serverFactory: (handler) => makeNodeServer(options, { connections, rawAnswers, onCutOff }, handler),
    clientErrorHandler: () => undefined, // node-server.ts does it, for every address listened on
    // An address that cannot be decoded; no hook has run.
    frameworkErrors: (_error, request, reply: FastifyReply) =>
      answerUnknown(options, methods, request, reply.headers(ON_EVERY_ANSWER)),
  }) as FastifyInstance;

  dropStragglersOnClose(app, connections, options.writeTimeoutMs);
  const methods = collectAllowedMethods(app);
  readJsonBodies(app);
  app.decorateRequest('caller', null);
  app.decorateRequest('turnedAway', false);
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
    reply.header(NOSNIFF[0], NOSNIFF[1]);
    const malformed = headRefusal(request.raw);
    if (malformed !== undefined) sendRefusal(reply.header('connection', 'close'), malformed);
    // Before the body is read and before the key is: a wrong address has no business with either.
    else if (request.is404 || methods.wasMisled(request)) answerUnknown(options, methods, request, reply);
    else done();
  });
  // At the very end: a request may have come in before the draining began.
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
  app.setNotFoundHandler((request, reply) => answerUnknown(options, methods, request, reply));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (isCutOff(error, request)) {
      const why = timedOut.has(request.raw.socket) ? TIMED_OUT : HUNG_UP;
      options.log.info({ why: why.message, request_id: request.id }, 'a request was cut off');
      return sendRefusal(reply, why); // the client has gone; this ends the request
    }
    const answer = refusalFor(error, options.bodyLimitBytes);
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

const NOSNIFF = ['x-content-type-options', 'nosniff'] as const;
const NO_STORE = ['cache-control', 'no-store'] as const;
const ON_EVERY_ANSWER = Object.fromEntries([NOSNIFF, NO_STORE]);
const TIMED_OUT = refusal('request_timeout', 'The request did not arrive in time. Send it again.');
const HUNG_UP = refusal(
  'malformed_request',
  'The client closed the connection before the body was complete.',
);
const AWAY = refusal(
  'unavailable',
  'The service cannot reach its database. Try again with the same reference.',
);
const BROKEN = refusal(
  'internal_error',
  'The service failed. The failure is logged under request_id: give it to the operator.',
);

function refusalFor(error: FastifyError | RefusalError | StoreUnavailable, bodyLimitBytes: number): Refusal {
  if (error instanceof RefusalError) return error.refusal;
  if (error instanceof StoreUnavailable) return AWAY;
  switch ((error as FastifyError).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(bodyLimitBytes);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refusal(
        'unsupported_media_type',
        'Send the body as JSON, with the header content-type: application/json.',
      );
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refusal(
        'malformed_request',
        'The body and the header content-length differ in length. Send the length of the body in bytes.',
      );
    default:
      return BROKEN;
  }
}

/** The connection ended before the body did: the client's doing, or that of a time limit. */
function isCutOff(error: Error & { code?: string }, request: FastifyRequest): boolean {
  return error.code === 'ECONNRESET' && request.raw.destroyed && !request.raw.complete;
}

function answerUnknown(
  { admission }: Pick<AppOptions, 'admission'>,
  methods: AllowedMethods,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const turnedAway = admission.withoutKey(request, reply);
  if (turnedAway !== undefined) return sendRefusal(reply, turnedAway);
  if (isSpeltOddly(request.url)) return sendRefusal(reply, NO_SUCH_PATH);
  const allowed = methods.of(pathOf(request.url));
  if (allowed.length === 0 || allowed.includes(request.method)) return sendRefusal(reply, NO_SUCH_PATH);
  reply.header('allow', allowed.join(', '));
  return sendRefusal(
    reply,
    refusal('method_not_allowed', `This path does not accept ${request.method}. Use ${allowed.join(', ')}.`),
  );
}

/** A key pasted into the path by mistake is not written down either. */
function withoutKeys(path: string): string {
  return path.includes('sk') ? path.replaceAll(/sk(_|%5f)(live|test)[\w%]*/gi, 'sk_$2_…') : path;
}

function logAnswer(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  if (!log.isLevelEnabled('info') || request.turnedAway) return;
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
