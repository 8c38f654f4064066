// Lets a tester act on the bank of test mode: a payment arrives at a vendor's account, or the bank reverses it. This code does
// not change a transaction. The service detects the payment in the same way as a real one.
import { ID_RANDOM_BYTES, isId, makeId } from '../../domain/values/ids.ts';
import { MAX_WIRE_MINOR } from '../../domain/values/money.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { CatalogueSnapshot, Vendor } from '../../ports/catalogue.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type { Networks } from '../../ports/networks/network.ts';
import { type Sandbox, SCENARIOS, type Scenario } from '../../ports/sandbox.ts';
import type { Store } from '../../ports/store/store.ts';
import { type BusinessReader, type Caller, scopeOf } from '../input/caller.ts';
import { checkAmount, checkBankName, checkText, FieldErrors } from '../input/field-rules.ts';
import { hashFields, idempotencyKeyReused } from '../intake/accept-transaction.ts';

export interface SandboxDeps {
  readonly sandbox: Sandbox;
  readonly store: Store;
  readonly networks: Networks;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

export interface CreditRequest {
  readonly vendor_number: string;
  readonly payer_account_number: string;
  readonly payer_bank_name: string;
  readonly payer_name?: string;
  readonly narration?: string;
  readonly session_id?: string;
}

export const SANDBOX_AMOUNT_BOUNDS = { minMinor: 1n, maxMinor: MAX_WIRE_MINOR };
const MASKED_ACCOUNT = /^[0-9Xx*]{10}$/;

/** Returns the sandbox scenario of a request, in test mode only. Null means that the request names none. */
export function parseScenario(caller: Caller, text: string | undefined): Result<Scenario | null, Refusal> {
  if (text === undefined) return ok(null);
  if (caller.key.mode !== 'test') return fail(testModeOnly());
  const scenario = SCENARIOS.find((each) => each === text.trim());
  if (scenario !== undefined) return ok(scenario);
  return fail(refusal('scenario_unknown', `svc-scenario must be one of ${SCENARIOS.join(', ')}.`));
}

export function testModeOnly(): Refusal {
  return refusal('test_mode_only', 'The sandbox accepts only test keys.');
}

export interface SandboxCreditResult {
  readonly id: string;
  readonly amountMinor: bigint;
  readonly replayed: boolean;
}

/** A test key, or a member who views test mode. */
export interface SandboxPayer extends BusinessReader {
  readonly catalogue: Pick<CatalogueSnapshot, 'vendors'>;
}

export async function simulateCredit(
  deps: SandboxDeps,
  request: {
    readonly caller: SandboxPayer;
    readonly body: CreditRequest;
    readonly amountText: string;
    readonly idempotencyKey: string | null;
  },
): Promise<Result<SandboxCreditResult, Refusal>> {
  const { caller, body, amountText, idempotencyKey } = request;
  if (caller.key.mode !== 'test') return fail(testModeOnly());
  const errors = new FieldErrors();
  const amountMinor = checkAmount(errors, amountText, SANDBOX_AMOUNT_BOUNDS);
  const vendor = checkVendor(errors, caller.catalogue.vendors.test, body.vendor_number);
  const payerBankName = checkBankName(errors, 'payer_bank_name', body.payer_bank_name);
  if (!MASKED_ACCOUNT.test(body.payer_account_number)) {
    const message = 'payer_account_number must be 10 digits; digits that a bank masks are written as * or X.';
    errors.add('payer_account_number', 'account_number_invalid', message);
  }
  const optional = (field: 'payer_name' | 'narration' | 'session_id', maxLength: number) =>
    body[field] === undefined ? null : checkText(errors, field, body[field], maxLength);
  const payerName = optional('payer_name', 140);
  const narration = optional('narration', 200);
  const sessionId = optional('session_id', 64);
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);

  const { vendor_number: number, payer_account_number: payerAccount } = body;
  const requestHash = hashFields([
    'bank-credit',
    amountMinor!.toString(),
    number,
    payerAccount,
    payerBankName!,
    payerName ?? null,
    narration ?? null,
    sessionId ?? null,
  ]);
  const own = makeId('crd', deps.clock.now(), deps.entropy.bytes(ID_RANDOM_BYTES));
  const named = await bindIdempotentName(deps, caller, own, { key: idempotencyKey, requestHash });
  if (!named.ok) return named;
  const { name: id, replayed } = named.value;
  await deps.sandbox.payIn(
    id,
    {
      tester: { businessId: caller.key.business.id, creditId: id },
      accountNumber: vendor!.number,
      accountBankCode: vendor!.bankCode,
      amountMinor: amountMinor!,
      payerAccount,
      payerBankName: payerBankName!,
      payerName: payerName ?? null,
      narration: narration ?? null,
      sessionId: sessionId ?? null,
    },
    1,
  );
  const first = sessionId ? await findFirstCredit(deps, caller, id, sessionId) : id;
  return ok({ id: first, amountMinor: amountMinor!, replayed });
}

/**
 * A session id identifies one transfer. If the bank reports the same session id again, it repeats the report of the first
 * credit.
 */
async function findFirstCredit(
  { store, clock }: SandboxDeps,
  caller: BusinessReader,
  id: string,
  sessionId: string,
): Promise<string> {
  const scope = scopeOf(caller);
  const claim = { key: `session_id ${sessionId}`, requestHash: 'bank-credit' };
  await store.bindIdempotencyKey(scope, claim, id, clock.now());
  const bound = await store.findIdempotencyKey(scope, claim.key);
  return bound?.requestHash === claim.requestHash ? bound.transactionId : id;
}

/**
 * Returns a new name, or the name that an earlier request with this idempotency key created. The first request with the key
 * decides the name.
 */
export async function bindIdempotentName(
  deps: SandboxDeps,
  caller: BusinessReader,
  own: string,
  { key, requestHash }: { readonly key: string | null; readonly requestHash: string },
): Promise<Result<{ readonly name: string; readonly replayed: boolean }, Refusal>> {
  if (key === null) return ok({ name: own, replayed: false });
  const scope = scopeOf(caller);
  await deps.store.bindIdempotencyKey(scope, { key, requestHash }, own, deps.clock.now());
  const bound = await deps.store.findIdempotencyKey(scope, key);
  if (bound === undefined || bound.requestHash !== requestHash) return fail(idempotencyKeyReused());
  return ok({ name: bound.transactionId, replayed: bound.transactionId !== own });
}

function checkVendor(errors: FieldErrors, vendors: readonly Vendor[], number: string): Vendor | undefined {
  const vendor = vendors.find((each) => each.number === number);
  return (
    vendor ??
    errors.add('vendor_number', 'vendor_unknown', 'vendor_number is not in the list of test vendors.')
  );
}

export async function simulateReversal(
  deps: SandboxDeps,
  request: { readonly caller: BusinessReader; readonly id: string; readonly idempotencyKey: string | null },
): Promise<Result<{ readonly id: string; readonly replayed: boolean }, Refusal>> {
  const { caller, id, idempotencyKey: key } = request;
  if (caller.key.mode !== 'test') return fail(testModeOnly());
  const scope = scopeOf(caller);
  const requestHash = hashFields(['reverse', id]);
  const used = key === null ? undefined : await deps.store.findIdempotencyKey(scope, key);
  if (used !== undefined && used.requestHash !== requestHash) return fail(idempotencyKeyReused());
  const payment = { businessId: caller.key.business.id, creditId: id };
  const found = isId('crd', id) && (await deps.sandbox.reverse(payment));
  if (!found) return fail(refusal('credit_not_found', 'There is no such bank credit.'));
  // A second reversal has no further effect, so the idempotency key only needs to store its request.
  if (key !== null) await deps.store.bindIdempotencyKey(scope, { key, requestHash }, id, deps.clock.now());
  return ok({ id, replayed: used !== undefined });
}
