// Who may come in. Without a key: so many requests a second, and so many at once, per client address. With a valid key:
// so many at once per key. What others do without a key never counts against a key, nor against /health and /ready.
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Logger } from 'pino';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import type { Clock } from '../../ports/clock.ts';
import { sendRefusal } from '../errors.ts';
import { clientOf } from './client-address.ts';
import { makeCounts, makeTokenBuckets } from './limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Refused for its rate: counted in the metrics, but not a line in the log each. */
    turnedAway: boolean;
  }
}

export interface AdmissionOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly publicRateLimitPerSecond: number;
  readonly publicRateLimitBurst: number;
  readonly requestsInFlight: number;
}

export interface Admission {
  /** In front of every route that takes no key, but for the probes. */
  readonly publicly: onRequestHookHandler;
  /** Notes a request without a valid key; a refusal when its client has had its share. */
  withoutKey(request: FastifyRequest, reply: FastifyReply): Refusal | undefined;
  withKey(keyId: string, reply: FastifyReply): Refusal | undefined;
  /** To be called once for every answer that is away, or never will be. */
  answered(raw: FastifyReply['raw']): void;
}

const TOO_FAST = refusal('rate_limited', 'Too many requests without a key from this address; slow down.');
const TOO_MANY = refusal('rate_limited', 'Too many requests at once; wait for the answers to some of them.');
const SAY_EVERY_MS = 60_000;

/** Under which name a request in flight was counted; on the response itself, because every request passes here. */
const COUNTED_AS = Symbol('counted as');
type Counted = FastifyReply['raw'] & { [COUNTED_AS]?: string };

export function makeAdmission(options: AdmissionOptions): Admission {
  const buckets = makeTokenBuckets(options.publicRateLimitPerSecond, options.publicRateLimitBurst);
  const inFlight = makeCounts();
  let saidAtMs = Number.NEGATIVE_INFINITY;

  const enter = (name: string, reply: FastifyReply): boolean => {
    if (reply.raw.destroyed) return true; // gone while its key was looked up: it would never free its place
    if (inFlight.of(name) >= options.requestsInFlight) return false;
    inFlight.add(name);
    (reply.raw as Counted)[COUNTED_AS] = name;
    return true;
  };
  const withoutKey = (request: FastifyRequest, reply: FastifyReply): Refusal | undefined => {
    const client = clientOf(request.ip);
    const nowMs = options.clock.now();
    const fast = !buckets.take(client, nowMs);
    if (!fast && enter(client, reply)) return undefined;
    request.turnedAway = true;
    reply.header('connection', 'close'); // to come back costs the client more than to be refused costs us
    if (nowMs - saidAtMs >= SAY_EVERY_MS) {
      saidAtMs = nowMs;
      options.log.warn({ client }, 'requests without a key are refused: too many from one address');
    }
    return fast ? TOO_FAST : TOO_MANY;
  };
  return {
    withoutKey,
    publicly: (request, reply, done) => {
      const refused = withoutKey(request, reply);
      if (refused === undefined) done();
      else sendRefusal(reply, refused);
    },
    withKey: (keyId, reply) => (enter(keyId, reply) ? undefined : TOO_MANY),
    answered: (raw) => {
      const name = (raw as Counted)[COUNTED_AS];
      if (name !== undefined) inFlight.remove(name);
    },
  };
}
