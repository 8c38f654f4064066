// Reads a transaction in a closed ledger: whether it is ours, and its result. A fee bump around our transaction counts as our
// transaction, no matter which account paid the fee.
import { xdr } from '@stellar/stellar-sdk/base';
import type { EnvelopeVersions } from './envelope.ts';
import { type HorizonFields, isFields, numberOf, textOf, UnreadableAnswer, wholeOf } from './fields.ts';
import type { Horizon } from './horizon.ts';
import type { StellarChain } from './stellar-chain.ts';

export interface LandedPayment {
  readonly kind: 'landed';
  /**
   * The hash of our version that is in the ledger. If a different account paid the fee, it is the hash of the inner
   * transaction.
   */
  readonly hash: string;
  readonly ledger: number;
  readonly closedAt: string;
  readonly successful: boolean;
  readonly feeMinor: bigint;
  /** The results of the failed operations. The text is empty if the transaction succeeded. */
  readonly reason: string;
  readonly culprits: readonly number[];
}

/**
 * `undone` means that a ledger contains the transaction, but the transaction did not use its sequence number. This can happen
 * in a fee bump of a different account. Then the record proves nothing.
 */
export interface FoundTransaction {
  readonly landed: LandedPayment;
  readonly undone: boolean;
}

/** Searches by the hash of the inner transaction, because with it a server also finds the fee bumps around that transaction. */
export async function findLandedPayment(
  chain: Pick<StellarChain, 'treasury'>,
  horizon: Horizon,
  versions: EnvelopeVersions,
): Promise<FoundTransaction | undefined> {
  const found = await horizon.get(`/transactions/${versions.innerHash}`);
  if (found === undefined) return undefined;
  if (found.hash !== versions.innerHash)
    throw new UnreadableAnswer('the server answered with another transaction');
  return readFoundTransaction(chain, found, versions);
}

export function readFoundTransaction(
  { treasury }: Pick<StellarChain, 'treasury'>,
  record: HorizonFields,
  versions: EnvelopeVersions,
): FoundTransaction {
  const { successful, result } = outcomeOf(record);
  const landed: LandedPayment = {
    kind: 'landed',
    hash: versions.hashes.find((hash) => hash === outerHashOf(record)) ?? versions.innerHash,
    ledger: numberOf(record, 'ledger'),
    closedAt: textOf(record, 'created_at'),
    successful,
    // Any account that has seen a transaction can pay its fee.
    feeMinor: record.fee_account === treasury ? wholeOf(record, 'fee_charged') : 0n,
    reason: result?.reason ?? '',
    culprits: result?.culprits ?? [],
  };
  return { landed, undone: result !== undefined && !result.applied };
}

export function usedSequence(record: HorizonFields): boolean {
  const { successful, result } = outcomeOf(record);
  return successful || result!.applied;
}

export function innerHashOf({ inner_transaction }: HorizonFields): string | null {
  return isFields(inner_transaction) ? textOf(inner_transaction, 'hash') : null;
}

function outerHashOf({ fee_bump_transaction, hash }: HorizonFields): unknown {
  return isFields(fee_bump_transaction) ? fee_bump_transaction.hash : hash;
}

function outcomeOf(record: HorizonFields) {
  const { successful } = record;
  if (typeof successful !== 'boolean') throw new UnreadableAnswer('"successful" is neither true nor false');
  return { successful, result: successful ? undefined : resultsOf(record) };
}

/**
 * A failed transaction certainly used its sequence number only if its operations ran and were rolled back. All operations run,
 * even if one of them fails.
 */
function resultsOf(found: HorizonFields): {
  readonly applied: boolean;
  readonly reason: string;
  readonly culprits: readonly number[];
} {
  const outer = xdr.TransactionResult.fromXdr(textOf(found, 'result_xdr'), 'base64').result;
  const result = outer.type === 'txFeeBumpInnerFailed' ? outer.innerResultPair.result.result : outer;
  if (result.type !== 'txFailed') return { applied: false, reason: result.type, culprits: [] };
  const names = result.results.map((each) => (each.type === 'opInner' ? each.tr.value.type : each.type));
  const culprits = [...names.keys()].filter((index) => !names[index]!.endsWith('Success'));
  const bad = culprits.map((index) => `${index}: ${names[index]}`);
  return { applied: true, reason: bad.join(', ') || result.type, culprits };
}
