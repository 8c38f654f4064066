// Typed access to the data of a request after authentication and parsing: caller, amount, headers.
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
    /** The code of the error body; null if the response is not an error. */
    refusedWith: RefusalCode | null;
  }
}

/** The caller of a route with authentication. It throws on any other route, because such a call is a bug. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error(`${request.routeOptions.url} does not authenticate`);
  return request.caller;
}

/** The amount as the client wrote it. The shape check has already verified that it is a number. */
export function amountTextOf(request: FastifyRequest): string {
  const text = request.numberTexts?.get('amount');
  if (text === undefined) throw new Error('the source text of amount was not kept');
  return text;
}

/** The same as above, for a body in which amount is optional. */
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

/** The scenario in svc-scenario. It is refused if it does not exist, or if the key is not a test key. */
export function scenarioHeaderOf(request: FastifyRequest): Result<Scenario | null, Refusal> {
  const header = request.headers['svc-scenario'];
  return parseScenario(callerOf(request), Array.isArray(header) ? header.join(',') : header);
}
