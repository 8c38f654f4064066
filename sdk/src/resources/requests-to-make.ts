// Parts that all requests share which create a record: the idempotency key, the scenario, and the check that an amount is a
// number.
import type { InitiateBuyScenario } from '../api-types.ts';
import { invalidArgument } from '../errors.ts';
import type { ApiRequest, CallOptions, Transport } from '../transport/transport.ts';

export interface IdempotentOptions extends CallOptions {
  /** The service executes requests with the same key only once. If a call has no key, the SDK generates a new one. */
  readonly idempotencyKey?: string | undefined;
}

export interface CreateOptions extends IdempotentOptions {
  /** Only for test mode: the scenario that the sandbox simulates for the transaction. */
  readonly scenario?: InitiateBuyScenario | undefined;
}

/**
 * Sends a POST that the service executes once, even if its response is lost and the SDK repeats the request. Returns one field
 * of the response.
 */
export function postOnce<Value>(
  transport: Transport,
  request: Pick<ApiRequest, 'path' | 'body' | 'headers'>,
  options: IdempotentOptions,
  field: string,
): Promise<Value> {
  const idempotencyKey = keyOf(transport, options);
  const { signal } = options;
  return transport.field({ method: 'POST', ...request, idempotencyKey, signal }, field);
}

function keyOf(transport: Transport, { idempotencyKey }: IdempotentOptions): string {
  if (idempotencyKey === undefined) return transport.newKey();
  if (typeof idempotencyKey === 'string' && /^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    return idempotencyKey;
  throw invalidArgument(
    'idempotencyKey',
    'idempotencyKey must have 1 to 255 ASCII letters, digits and symbols, without spaces.',
  );
}

export function scenarioHeader({ scenario }: CreateOptions): { readonly headers?: Record<string, string> } {
  if (scenario === undefined) return {};
  if (typeof scenario === 'string' && /^[\w-]+$/.test(scenario))
    return { headers: { 'svc-scenario': scenario } };
  throw invalidArgument(
    'scenario',
    'scenario must be the name of a scenario of the sandbox, for example paid.',
  );
}

/** JSON cannot represent NaN and infinity, so they would be sent as null. The service refuses an amount that is text. */
export function checkAmount(amount: unknown): void {
  if (typeof amount === 'number' && Number.isFinite(amount)) return;
  const found = typeof amount === 'number' ? String(amount) : amount === null ? 'null' : `a ${typeof amount}`;
  throw invalidArgument(
    'amount',
    `amount must be a number of naira, for example 15000 or 15000.50, but it is ${found}.`,
  );
}

export function checkBody(body: unknown, call: string): void {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return;
  throw invalidArgument('', `${call} needs an object with its fields.`);
}
