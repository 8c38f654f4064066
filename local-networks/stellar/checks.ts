// Decides whether a transaction may enter a ledger. If several refusals apply, the order of the checks decides which one is
// returned. The order is the same as in the real core: time, fee, account, sequence, signatures, balance, operations.
import type { FeeBump, InnerTransaction, StellarEnvelope } from './envelope.ts';
import { findMalformed, findUnauthorized, untouchedResult } from './operations/apply-operation.ts';
import { startingSequence } from './operations/payments.ts';
import { type InnerCode, type InnerVerdict, refusedVerdict, type TransactionVerdict } from './results.ts';
import { SignatureCheck } from './signatures.ts';
import {
  BASE_FEE_STROOPS,
  INT64_MAX,
  type LedgerMoment,
  type StateReader,
  spendableStroops,
} from './state.ts';

export interface CheckContext {
  readonly state: StateReader;
  /**
   * When a transaction is submitted, this is the last closed ledger. When it is applied, this is the ledger that is being
   * closed.
   */
  readonly moment: LedgerMoment;
  /** How many seconds the transaction may have to wait for its ledger. When it is applied, this is 0. */
  readonly waitSeconds: number;
  /** True when the transaction is applied. Its fee is already taken then, so it is not checked again. */
  readonly applying: boolean;
}

function checkTimeBounds(
  tx: InnerTransaction,
  { moment, waitSeconds, applying }: CheckContext,
): InnerCode | undefined {
  const closeTime = BigInt(moment.closeTime);
  const ledgers = tx.conditions?.ledgerBounds;
  // A real core refused a start time equal to its last close time, so the stricter rule is used.
  const early = applying ? tx.minTime > closeTime : tx.minTime >= closeTime;
  if (tx.minTime > 0n && early) return 'txTooEarly';
  if (ledgers != null && ledgers.minLedger > moment.sequence) return 'txTooEarly';
  if (tx.maxTime > 0n && tx.maxTime < closeTime + BigInt(waitSeconds)) return 'txTooLate';
  if (ledgers != null && ledgers.maxLedger !== 0 && ledgers.maxLedger <= moment.sequence) return 'txTooLate';
  return undefined;
}

function hasBadSequence(tx: InnerTransaction, current: bigint, moment: LedgerMoment): boolean {
  if (tx.sequence === startingSequence(moment.sequence)) return true;
  const least = tx.conditions?.minSeqNum;
  if (least != null) return current < least || current >= tx.sequence;
  return current === INT64_MAX || current + 1n !== tx.sequence;
}

/** Runs all checks before the operations. `paysFee` is false for the transaction inside a fee-bump. */
export function checkTransaction(
  tx: InnerTransaction,
  context: CheckContext,
  signatures: SignatureCheck,
  paysFee: boolean,
): InnerCode | undefined {
  const { state, moment, applying } = context;
  const conditions = tx.conditions;
  if (conditions !== undefined && conditions.extraSigners.length > 0) return 'txNotSupported';
  if (tx.operations.length === 0) return 'txMissingOperation';
  const time = checkTimeBounds(tx, context);
  if (time !== undefined) return time;
  if (paysFee && tx.fee < BASE_FEE_STROOPS * BigInt(tx.operations.length)) return 'txInsufficientFee';
  const source = state.account(tx.source.id);
  if (source === undefined) return 'txNoAccount';
  if (hasBadSequence(tx, source.sequence, moment)) return 'txBadSeq';
  if (conditions !== undefined) {
    const age = BigInt(moment.closeTime) - BigInt(source.sequenceTime);
    const gap = moment.sequence - source.sequenceLedger;
    if (age < conditions.minSeqAge || gap < conditions.minSeqLedgerGap) return 'txBadMinSeqAgeOrGap';
  }
  if (!signatures.account(source, source.thresholds.low)) return 'txBadAuth';
  if (paysFee && !applying && spendableStroops(source) < tx.fee) return 'txInsufficientBalance';
  return undefined;
}

function checkInner(tx: InnerTransaction, context: CheckContext, paysFee: boolean): InnerVerdict | undefined {
  const signatures = new SignatureCheck(tx.hash, tx.signatures);
  const code = checkTransaction(tx, context, signatures, paysFee);
  if (code !== undefined) return refusedVerdict(code);
  const refused = tx.operations.map(() => undefined as ReturnType<typeof findMalformed>);
  for (const [index, operation] of tx.operations.entries()) {
    refused[index] =
      findUnauthorized(operation, tx, context.state, signatures) ?? findMalformed(operation, tx);
    // The first refused operation ends the check.
    if (refused[index] !== undefined) {
      return {
        code: 'txFailed',
        operations: tx.operations.map((op, at) => refused[at] ?? untouchedResult(op)),
      };
    }
  }
  return signatures.allUsed() ? undefined : refusedVerdict('txBadAuthExtra');
}

/**
 * The minimum fee of a fee-bump. It must be at least the base fee per operation, and at least the fee per operation of the
 * inner transaction.
 */
function leastBumpFee({ inner, feeUnits }: StellarEnvelope): bigint {
  const operations = BigInt(Math.max(1, inner.operations.length));
  const byInner = (inner.fee * feeUnits + operations - 1n) / operations;
  const byBase = BASE_FEE_STROOPS * feeUnits;
  return byInner > byBase ? byInner : byBase;
}

function checkBump(envelope: StellarEnvelope, bump: FeeBump, context: CheckContext): InnerCode | undefined {
  if (bump.fee < leastBumpFee(envelope)) return 'txInsufficientFee';
  const payer = context.state.account(bump.feeSource.id);
  if (payer === undefined) return 'txNoAccount';
  const signatures = new SignatureCheck(bump.hash, bump.signatures);
  if (!signatures.account(payer, payer.thresholds.low)) return 'txBadAuth';
  if (spendableStroops(payer) < bump.fee) return 'txInsufficientBalance';
  return signatures.allUsed() ? undefined : 'txBadAuthExtra';
}

/** The refusal of a submission. Undefined means that the transaction may wait for the next ledger. */
export function checkSubmission(
  envelope: StellarEnvelope,
  context: CheckContext,
): TransactionVerdict | undefined {
  const feeCharged = BASE_FEE_STROOPS * envelope.feeUnits;
  const { inner, bump } = envelope;
  if (bump === undefined) {
    const refused = checkInner(inner, context, true);
    return refused === undefined ? undefined : { ...refused, feeCharged };
  }
  const code = checkBump(envelope, bump, context);
  if (code === 'txInsufficientFee') return { code, operations: [], feeCharged: leastBumpFee(envelope) };
  if (code !== undefined) return { code, operations: [], feeCharged };
  const refused = checkInner(inner, context, false);
  if (refused === undefined) return undefined;
  const { operations } = refused;
  return {
    code: 'txFeeBumpInnerFailed',
    operations,
    feeCharged,
    inner: { hash: inner.hash, code: refused.code },
  };
}
