// Creates a buy or a sell in test mode with example values, for a page that gives only an amount, or nothing. The service
// accepts it with a test key of the business, like any other transaction. If the business has no test key, the service refuses
// it.
import { hash } from 'node:crypto';
import type { TransactionType } from '../../domain/records/states.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import { fail, type Result } from '../../domain/values/result.ts';
import type { CatalogueSnapshot } from '../../ports/catalogue.ts';
import { EXAMPLE_ACCOUNT, EXAMPLE_NETWORK, EXAMPLE_WALLETS } from '../../ports/sandbox.ts';
import type { Caller } from '../input/caller.ts';
import type { AcceptedTransaction } from '../intake/accept-transaction.ts';
import type { SubmissionDeps } from '../intake/submission.ts';
import { submitBuy } from '../intake/submit-buy.ts';
import { submitSell } from '../intake/submit-sell.ts';
import { parseScenario } from './drive-sandbox.ts';
import { makeExampleAccountNumber } from './example-account-number.ts';

export interface ExampleDeps {
  readonly buy: SubmissionDeps;
  readonly sell: SubmissionDeps;
}

export interface ExampleRequest {
  readonly kind: TransactionType;
  readonly scenario?: string | undefined;
  readonly amountText: string;
  readonly network?: string | undefined;
  readonly idempotencyKey: string | null;
}

export async function makeExampleTransaction(
  deps: ExampleDeps,
  businessId: string,
  catalogue: CatalogueSnapshot,
  request: ExampleRequest,
): Promise<Result<AcceptedTransaction, Refusal>> {
  const caller = findTestCaller(businessId, catalogue, deps.buy.clock.now());
  if (caller === undefined) return fail(testKeyMissing());
  const scenario = parseScenario(caller, request.scenario);
  if (!scenario.ok) return scenario;
  const { amountText, idempotencyKey } = request;
  const submission = { caller, amountText, idempotencyKey, scenario: scenario.value };
  const fields = commonFields(deps, caller, request);
  if (request.kind === 'sell')
    return submitSell(deps.sell, { ...submission, body: { ...fields, type: 'sell_ramp' } });
  const [vendor] = catalogue.vendors.test;
  if (vendor === undefined)
    return fail(refusal('state_conflict', 'Test mode has no vendor: ask the operator to add one.'));
  const paidTo = { vendor_name: vendor.name, vendor_bank: vendor.bank, vendor_number: vendor.number };
  return submitBuy(deps.buy, { ...submission, body: { ...fields, ...paidTo, type: 'buy_ramp' } });
}

function testKeyMissing(): Refusal {
  return refusal('state_conflict', 'The business has no valid test key with full access. Create one first.');
}

function findTestCaller(businessId: string, catalogue: CatalogueSnapshot, nowMs: number): Caller | undefined {
  const key = [...catalogue.keysByHash.values()].find(
    ({ business, mode, scope, expiresAtMs }) =>
      business.id === businessId &&
      mode === 'test' &&
      scope === 'full' &&
      (expiresAtMs === null || nowMs < expiresAtMs),
  );
  return key && { key, catalogue };
}

function commonFields(deps: ExampleDeps, { key }: Caller, { network, idempotencyKey }: ExampleRequest) {
  const name = network ?? EXAMPLE_NETWORK;
  const wallet = EXAMPLE_WALLETS[name.toLowerCase()];
  return {
    ...{ business_id: key.business.id, link_tag: key.business.linkTag },
    account_number: makeExampleAccountNumber(makeSerial(deps, idempotencyKey)),
    ...{ bank_name: EXAMPLE_ACCOUNT.bank, account_name: EXAMPLE_ACCOUNT.name },
    // If a network has no example wallet, the address stays empty and the service refuses the request.
    ...{ network: name, wallet_address: wallet ?? '' },
  };
}

/** A repeated request must be identical, so its account number is derived from its idempotency key. */
function makeSerial({ buy }: ExampleDeps, idempotencyKey: string | null): number {
  const bytes =
    idempotencyKey === null
      ? Buffer.from(buy.entropy.bytes(4))
      : Buffer.from(hash('sha256', idempotencyKey, 'hex').slice(0, 8), 'hex');
  return bytes.readUInt32BE() % 1_000_000_000;
}
