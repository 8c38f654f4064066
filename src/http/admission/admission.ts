// Limits the number of requests. For requests without a key, it limits the rate and the number of parallel requests per client
// address. For requests with a valid key, it limits the number of parallel requests per key. Requests without a key never use
// up the limits of a key, of /health or of /ready.
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Logger } from 'pino';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import type { Clock } from '../../ports/clock.ts';
import { sendRefusal } from '../errors.ts';
import { clientOfAddress } from './client-address.ts';
import { makeNamedCounts, makeTokenBuckets } from './limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Whether the request was refused because its client sent too many requests. The metrics count such a refusal, but the
     * service does not log each one.
     */
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
  /** The hook of every route that needs no key, except /health and /ready. */
  readonly publicly: onRequestHookHandler;
  /** Counts a request without a valid key, and returns a refusal if the client exceeds its limit. */
  withoutKey(request: FastifyRequest, reply: FastifyReply): Refusal | undefined;
  withKey(keyId: string, reply: FastifyReply): Refusal | undefined;
  /** Called once for every request, when its response was sent or its connection was closed. */
  answered(raw: FastifyReply['raw']): void;
}

const TOO_FAST = refusal(
  'rate_limited',
  'Too many requests without a valid key from this address. Wait for the number of seconds in the retry-after header.',
);
const TOO_MANY = refusal(
  'rate_limited',
  'Too many requests at once. Wait for some answers before you send more.',
);
const LOG_EVERY_MS = 60_000;

/**
 * The name under which the limits count a request in progress. The name is stored on the response, because this is cheaper than
 * a map.
 */
const COUNTED_AS = Symbol('counted as');
type CountedResponse = FastifyReply['raw'] & { [COUNTED_AS]?: string };

export function makeAdmission(options: AdmissionOptions): Admission {
  const buckets = makeTokenBuckets(options.publicRateLimitPerSecond, options.publicRateLimitBurst);
  const inFlight = makeNamedCounts();
  let loggedAtMs = Number.NEGATIVE_INFINITY;

  const enter = (name: string, reply: FastifyReply): boolean => {
    if (reply.raw.destroyed) return true; // the connection was closed during the key lookup: `answered` would not be called
    if (inFlight.of(name) >= options.requestsInFlight) return false;
    inFlight.add(name);
    (reply.raw as CountedResponse)[COUNTED_AS] = name;
    return true;
  };
  const withoutKey = (request: FastifyRequest, reply: FastifyReply): Refusal | undefined => {
    const client = clientOfAddress(request.ip);
    const nowMs = options.clock.now();
    const fast = !buckets.take(client, nowMs);
    if (!fast && enter(client, reply)) return undefined;
    request.turnedAway = true;
    reply.header('connection', 'close'); // the client must open a new connection, which costs it more than a refusal costs us
    if (nowMs - loggedAtMs >= LOG_EVERY_MS) {
      loggedAtMs = nowMs;
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
      const name = (raw as CountedResponse)[COUNTED_AS];
      if (name !== undefined) inFlight.remove(name);
    },
  };
}
