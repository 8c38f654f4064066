// Plays the next step of a test transaction, for a button on a page: the payment of a buy arrives, the tokens of a sell arrive,
// or the bank reverses the payment. The page gives only the transaction, and the service derives all other values from it.
import { formatDecimal } from '../../domain/values/money.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { BusinessReader } from '../input/caller.ts';
import { readTransaction } from '../intake/read-transactions.ts';
import {
  type SandboxCreditResult,
  type SandboxDeps,
  type SandboxPayer,
  simulateCredit,
  simulateReversal,
} from './drive-sandbox.ts';

/**
 * If `amountText` is null, the customer pays the whole amount of the buy, even if a part arrived before. So a repeated click
 * means the same.
 */
export async function payBuy(
  deps: SandboxDeps,
  request: {
    readonly caller: SandboxPayer;
    readonly transactionId: string;
    readonly amountText: string | null;
    readonly idempotencyKey: string | null;
  },
): Promise<Result<SandboxCreditResult, Refusal>> {
  const { caller, transactionId, idempotencyKey } = request;
  const found = await readTransaction(deps.store, caller, transactionId);
  if (!found.ok) return found;
  const { vendor, accountNumber, accountName, bankName, amountMinor } = found.value;
  if (vendor === null)
    return fail(refusal('state_conflict', 'Only a buy is paid in naira; this is a sell. Send its tokens.'));
  const body = {
    ...{ vendor_number: vendor.number, payer_account_number: accountNumber, payer_bank_name: bankName },
    ...(accountName !== null && { payer_name: accountName }),
  };
  const amountText = request.amountText ?? formatDecimal(amountMinor, 2);
  return simulateCredit(deps, { caller, body, amountText, idempotencyKey });
}

/** Reverses the newest payment of the buy. */
export async function reversePayment(
  deps: SandboxDeps,
  request: {
    readonly caller: BusinessReader;
    readonly transactionId: string;
    readonly idempotencyKey: string | null;
  },
): Promise<Result<{ readonly id: string; readonly replayed: boolean }, Refusal>> {
  const { caller, transactionId, idempotencyKey } = request;
  const found = await readTransaction(deps.store, caller, transactionId);
  if (!found.ok) return found;
  const credits = await deps.store.creditsOf([found.value.id]);
  const newest = credits.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0];
  if (newest === undefined)
    return fail(refusal('credit_not_found', 'No payment of this transaction has arrived yet: pay it first.'));
  const taken = await simulateReversal(deps, { caller, id: newest.id, idempotencyKey });
  return taken.ok ? ok(taken.value) : taken;
}
