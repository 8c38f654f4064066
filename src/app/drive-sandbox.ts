// What a tester does to the outside world of test mode: a payment arrives at a vendor's account, the bank takes it back,
// tokens arrive for a sell. Nothing here touches a transaction: the service learns of it as it would of a real payment.
import { ID_RANDOM_BYTES, isId, makeId } from '../domain/ids.ts';
import { koboToToken, MAX_WIRE_MINOR } from '../domain/money.ts';
import { type Refusal, refusal } from '../domain/refusals.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { Vendor } from '../ports/catalogue.ts';
import type { Clock, Entropy } from '../ports/clock.ts';
import type { Networks } from '../ports/network.ts';
import { type Sandbox, SCENARIOS, type Scenario } from '../ports/sandbox.ts';
import type { Store } from '../ports/store.ts';
import { hashFields, keyReused } from './accept-transaction.ts';
import { type Caller, scopeOf } from './caller.ts';
import { checkAmount, checkBankName, checkText, FieldErrors } from './field-rules.ts';
import { readTransaction } from './read-transactions.ts';

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

const BOUNDS = { minMinor: 1n, maxMinor: MAX_WIRE_MINOR };
const MASKED_ACCOUNT = /^[0-9Xx*]{10}$/;

/** The story a request asks for, in test mode only; null when it asks for none. */
export function scenarioOf(caller: Caller, text: string | undefined): Result<Scenario | null, Refusal> {
  if (text === undefined) return ok(null);
  if (caller.key.mode !== 'test') return fail(testModeOnly());
  const scenario = SCENARIOS.find((each) => each === text.trim());
  if (scenario !== undefined) return ok(scenario);
  return fail(refusal('scenario_unknown', `svc-scenario must be one of ${SCENARIOS.join(', ')}.`));
}

function testModeOnly(): Refusal {
  return refusal('test_mode_only', 'The sandbox takes test keys only.');
}

export interface PaidIn {
  readonly id: string;
  readonly amountMinor: bigint;
  readonly replayed: boolean;
}

export async function payIn(
  deps: SandboxDeps,
  request: {
    readonly caller: Caller;
    readonly body: CreditRequest;
    readonly amountText: string;
    readonly idempotencyKey: string | null;
  },
): Promise<Result<PaidIn, Refusal>> {
  const { caller, body, amountText, idempotencyKey } = request;
  if (caller.key.mode !== 'test') return fail(testModeOnly());
  const errors = new FieldErrors();
  const amountMinor = checkAmount(errors, amountText, BOUNDS);
  const vendor = checkVendor(errors, caller.catalogue.vendors.test, body.vendor_number);
  const payerBankName = checkBankName(errors, 'payer_bank_name', body.payer_bank_name);
  if (!MASKED_ACCOUNT.test(body.payer_account_number)) {
    const message = 'payer_account_number must be 10 digits; a bank that masks it writes * or X for some.';
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
  const named = await nameCredit(deps, caller, idempotencyKey, requestHash);
  if (!named.ok) return named;
  const { id, replayed } = named.value;
  await deps.sandbox.payIn(
    nameAtBank(caller, id),
    {
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
  return ok({ id, amountMinor: amountMinor!, replayed });
}

/** A new id, or the one that was given under this key before: whoever bound the key first has named the payment. */
async function nameCredit(
  deps: SandboxDeps,
  caller: Caller,
  key: string | null,
  requestHash: string,
): Promise<Result<{ readonly id: string; readonly replayed: boolean }, Refusal>> {
  const own = makeId('crd', deps.clock.now(), deps.entropy.bytes(ID_RANDOM_BYTES));
  if (key === null) return ok({ id: own, replayed: false });
  const scope = scopeOf(caller);
  await deps.store.bindIdempotencyKey(scope, { key, requestHash }, own, deps.clock.now());
  const bound = await deps.store.findIdempotencyKey(scope, key);
  if (bound === undefined || bound.requestHash !== requestHash) return fail(keyReused());
  return ok({ id: bound.transactionId, replayed: bound.transactionId !== own });
}

function checkVendor(errors: FieldErrors, vendors: readonly Vendor[], number: string): Vendor | undefined {
  const vendor = vendors.find((each) => each.number === number);
  return (
    vendor ??
    errors.add('vendor_number', 'vendor_unknown', 'vendor_number is not in the list of test vendors.')
  );
}

/** Under the business's own name: nobody can take back another's payment. */
function nameAtBank(caller: Caller, id: string): string {
  return `${caller.key.business.id}/${id}`;
}

export async function takeBack(
  deps: SandboxDeps,
  caller: Caller,
  id: string,
): Promise<Result<{ readonly id: string }, Refusal>> {
  if (caller.key.mode !== 'test') return fail(testModeOnly());
  const found = isId('crd', id) && (await deps.sandbox.reverse(nameAtBank(caller, id)));
  return found ? ok({ id }) : fail(refusal('credit_not_found', 'There is no such bank credit.'));
}

export interface DepositRequest {
  readonly transaction_id: string;
  readonly network?: string;
}

export interface Deposited {
  readonly transactionId: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  readonly amountMinor: bigint;
  readonly txHash: string;
}

export async function depositTokens(
  deps: SandboxDeps,
  request: { readonly caller: Caller; readonly body: DepositRequest; readonly amountText: string | null },
): Promise<Result<Deposited, Refusal>> {
  const { caller, body, amountText } = request;
  if (caller.key.mode !== 'test') return fail(testModeOnly());
  const found = await readTransaction(deps.store, caller, body.transaction_id);
  if (!found.ok) return found;
  const transaction = found.value;
  if (transaction.type !== 'sell')
    return fail(refusal('state_conflict', 'Tokens are sent in for a sell; this is a buy.'));
  const errors = new FieldErrors();
  const amountMinor = amountText === null ? transaction.amountMinor : checkAmount(errors, amountText, BOUNDS);
  const name =
    body.network === undefined
      ? (transaction.wallet?.network ?? transaction.deposits[0]!.network)
      : deps.networks.spell(body.network);
  const network = name === undefined ? undefined : deps.networks.find('test', name);
  if (network === undefined)
    errors.add('network', 'network_unknown', `network must be one of ${deps.networks.names.join(', ')}.`);
  const refused = errors.refusal();
  if (refused !== undefined) return fail(refused);
  const tokens = koboToToken(amountMinor!, network!.asset.decimals);
  if (tokens === undefined)
    return fail(refusal('amount_not_representable', `${network!.name} cannot carry this amount exactly.`));
  // On a network the sell has no instruction for, the tokens arrive where nobody waits for them.
  const { address, memo } = network!.depositTarget(transaction.id);
  const id = `${transaction.id}/${makeId('dep', deps.clock.now(), deps.entropy.bytes(ID_RANDOM_BYTES))}`;
  const deposit = { network: network!.name, address, memo, amountMinor: tokens };
  const txHash = await deps.sandbox.deposit(id, deposit);
  return ok({
    transactionId: transaction.id,
    network: network!.name,
    address,
    memo,
    amountMinor: amountMinor!,
    txHash,
  });
}
