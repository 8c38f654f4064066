// Passes finished requests to the request log. The log stores requests with a valid key that changed something or failed. A
// request without a valid key belongs to no business and is not stored, so that strangers cannot fill the disk.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../ports/clock.ts';
import type { LoggedRequest } from '../../ports/request-log.ts';
import { makeTokenBuckets } from '../admission/limits.ts';
import { maskJson, maskUrl } from './masking.ts';

export interface KeepRequestsDeps {
  readonly record: (request: LoggedRequest) => void;
  readonly clock: Clock;
}

const MAX_PATH = 2_000;
const MAX_BODY = 16_384;
/** A key over its rate limit can cause very many refusals, so the request log stores only a few of them. */
const RATE_LIMITED = { perSecond: 1, burst: 10 };

export function keepRequests(app: FastifyInstance, { record, clock }: KeepRequestsDeps): void {
  const buckets = makeTokenBuckets(RATE_LIMITED.perSecond, RATE_LIMITED.burst);
  app.addHook('onResponse', (request, reply, done) => {
    const { caller } = request;
    if (caller !== null && mustBeKept(request, reply)) {
      const nowMs = clock.now();
      if (reply.statusCode !== 429 || buckets.take(caller.key.id, nowMs)) {
        record(entryOf(request, reply, caller.key, nowMs));
      }
    }
    done();
  });
}

function mustBeKept({ method }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return statusCode >= 400 || !(method === 'GET' || method === 'HEAD' || method === 'OPTIONS');
}

function entryOf(
  request: FastifyRequest,
  reply: FastifyReply,
  key: NonNullable<FastifyRequest['caller']>['key'],
  nowMs: number,
): LoggedRequest {
  const body = request.body === undefined || request.body === null ? null : maskJson(request.body);
  const durationMs = Math.round(reply.elapsedTime);
  return {
    businessId: key.business.id,
    mode: key.mode,
    requestId: request.id,
    atMs: nowMs - durationMs,
    keyId: key.id,
    method: request.method,
    path: maskUrl(request.url).slice(0, MAX_PATH),
    status: reply.statusCode,
    code: request.refusedWith,
    durationMs,
    body: body?.slice(0, MAX_BODY).toWellFormed() ?? null,
    bodyTruncated: body !== null && body.length > MAX_BODY,
  };
}
