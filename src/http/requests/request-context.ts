// Typed access to the data of a request after authentication and parsing: the caller, the amount and the headers.
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../app/input/caller.ts';
import { parseScenario } from '../../app/sandbox/drive-sandbox.ts';
import { type Refusal, type RefusalCode, refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Scenario } from '../../ports/sandbox.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    numberTexts: ReadonlyMap<string, string> | null;
    /** The code in the error body; null if the response is not an error. */
    refusedWith: RefusalCode | null;
  }
}

/**
 * Returns the caller of a request on a route with authentication. It throws on any other route, because such a call is a bug.
 */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error(`${request.routeOptions.url} does not authenticate`);
  return request.caller;
}

/** Returns the amount as the client wrote it. The shape check has already verified that the amount is a number. */
export function amountTextOf(request: FastifyRequest): string {
  const text = request.numberTexts?.get('amount');
  if (text === undefined) throw new Error('the source text of amount was not kept');
  return text;
}

/** Returns the amount as the client wrote it; null if the body has no amount. */
export function optionalAmountTextOf(request: FastifyRequest): string | null {
  return request.numberTexts?.get('amount') ?? null;
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

export function idempotencyKeyOf(request: FastifyRequest): Result<string | null, Refusal> {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return ok(null);
  if (typeof header === 'string' && IDEMPOTENCY_KEY.test(header)) return ok(header);
  const message =
    'The header Idempotency-Key must be 1 to 255 printable ASCII characters without spaces, for example a UUID.';
  return fail(refusal('idempotency_key_invalid', message));
}

/**
 * Returns the scenario in the header svc-scenario. It refuses a scenario that does not exist, and any scenario with a key that
 * is not a test key.
 */
export function scenarioHeaderOf(request: FastifyRequest): Result<Scenario | null, Refusal> {
  const header = request.headers['svc-scenario'];
  return parseScenario(callerOf(request), Array.isArray(header) ? header.join(',') : header);
}
