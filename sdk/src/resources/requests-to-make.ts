// Shared by all requests that create a record: the idempotency key, the scenario, and the check that an amount is a number.
import type { InitiateBuyScenario } from '../api-types.ts';
import { invalidArgument } from '../errors.ts';
import type { ApiRequest, CallOptions, Transport } from '../transport/transport.ts';

export interface IdempotentOptions extends CallOptions {
  /** Requests with the same key are executed once. The SDK generates a new key for each call without a key. */
  readonly idempotencyKey?: string | undefined;
}

export interface CreateOptions extends IdempotentOptions {
  /** Test mode: the scenario that the sandbox simulates for the transaction. */
  readonly scenario?: InitiateBuyScenario | undefined;
}

/**
 * Sends a POST that is executed once, even if its response is lost and the request is repeated. Returns one field of the
 * response.
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

/** JSON has no NaN and no infinity: they would be sent as null. The service would refuse a text. */
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
