// The authentication hook of every business route. A request with a valid key passes if the rate limit and the scope of the key
// allow it. Every other request gets the same 401 response or, after too many failures, a 429 response. Failed requests of a
// client never block requests with a valid key.
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Caller } from '../../app/input/caller.ts';
import type { Authenticator } from '../../app/intake/authenticate.ts';
import { secretKeyHint } from '../../domain/catalogue/secret-keys.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import type { Clock } from '../../ports/clock.ts';
import { sendRefusal, wrongKeyRefusal } from '../errors.ts';
import type { Admission } from './admission.ts';
import { clientOfAddress } from './client-address.ts';
import type { FailureCounts, TokenBuckets } from './limits.ts';

export interface AuthenticationDeps {
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  readonly secretKeyHeader: string;
  readonly buckets: TokenBuckets;
  readonly failures: FailureCounts;
  readonly admission: Pick<Admission, 'withKey' | 'withoutKey'>;
  /** Called for every request with a valid key, even if the request is refused afterwards. The function must return at once. */
  readonly onKeyUse: (keyId: string) => void;
}

const TOO_FAST = refusal(
  'rate_limited',
  'Too many requests with this key. Wait for the number of seconds in the retry-after header, then send fewer.',
);
const TOO_MANY_FAILURES = refusal(
  'too_many_failures',
  'Too many requests with a wrong key from this address. Check the key, and try again after a minute.',
);

const READ_ONLY = refusal(
  'key_scope',
  'This key is read-only: it may send only GET requests. Use a key with the scope full for requests that change something.',
);
const READING = new Set(['GET', 'HEAD']);

export function makeAuthenticationHook(deps: AuthenticationDeps): onRequestHookHandler {
  const admit = (
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller | undefined,
    done: () => void,
  ): void => {
    if (caller === undefined) {
      sendRefusal(reply, failure(request, reply));
      return;
    }
    request.caller = caller; // also set for refused requests, because the refusal belongs to the business
    deps.onKeyUse(caller.key.id);
    const refused = deps.buckets.take(caller.key.id, deps.clock.now())
      ? (deps.admission.withKey(caller.key.id, reply) ?? outOfScope(request, caller))
      : TOO_FAST;
    if (refused !== undefined) {
      sendRefusal(reply, refused);
      return;
    }
    done();
  };
  const outOfScope = ({ method }: FastifyRequest, { key }: Caller): Refusal | undefined =>
    key.scope === 'full' || READING.has(method) ? undefined : READ_ONLY;
  const unauthorized = wrongKeyRefusal(deps.secretKeyHeader);
  const failure = (request: FastifyRequest, reply: FastifyReply): Refusal => {
    const turnedAway = deps.admission.withoutKey(request, reply);
    const now = deps.clock.now();
    const header = request.headers[deps.secretKeyHeader];
    if (typeof header !== 'string') return turnedAway ?? unauthorized; // without a key there is no failed guess to count
    const exceeded =
      deps.failures.exceeded(`address ${clientOfAddress(request.ip)}`, now) ||
      deps.failures.exceeded(`prefix ${secretKeyHint(header)}`, now);
    return exceeded ? TOO_MANY_FAILURES : (turnedAway ?? unauthorized);
  };

  return (request, reply, done) => {
    const header = request.headers[deps.secretKeyHeader];
    const caller = typeof header === 'string' ? deps.authenticator.authenticate(header) : undefined;
    if (caller instanceof Promise) {
      caller.then((found) => admit(request, reply, found, done), done);
    } else {
      admit(request, reply, caller, done);
    }
  };
}
