// Applies the transactions of one ledger: first all fees, then the transactions one after another. A failed transaction pays
// its fee and uses its sequence number. It has no other effect.
import { checkTransaction } from './checks.ts';
import type { InnerTransaction, StellarEnvelope } from './envelope.ts';
import { applyOperation, findUnauthorized, untouchedResult } from './operations/apply-operation.ts';
import { type InnerVerdict, isOperationSuccess, refusedVerdict, type TransactionVerdict } from './results.ts';
import { SignatureCheck } from './signatures.ts';
import { BASE_FEE_STROOPS, StateLayer } from './state.ts';

function takeFee(envelope: StellarEnvelope, layer: StateLayer, feePerOperation: bigint): bigint {
  const due = feePerOperation * envelope.feeUnits;
  const wanted = envelope.feeBid < due ? envelope.feeBid : due;
  const payer = layer.account(envelope.feeSource.id);
  if (payer === undefined) return 0n;
  // The reserve does not protect an account from fees.
  const taken = payer.balance < wanted ? payer.balance : wanted;
  layer.putAccount({ ...payer, balance: payer.balance - taken });
  return taken;
}

function useSequence(transaction: InnerTransaction, layer: StateLayer): void {
  const source = layer.account(transaction.source.id)!;
  const { sequence: sequenceLedger, closeTime: sequenceTime } = layer.moment;
  layer.putAccount({ ...source, sequence: transaction.sequence, sequenceLedger, sequenceTime });
}

function applyOperations(transaction: InnerTransaction, ledger: StateLayer): InnerVerdict {
  const whole = new StateLayer(ledger, ledger.moment);
  // A failed operation is undone, and the following operations still run, so that each has its own result.
  const operations = transaction.operations.map((operation, index) => {
    const layer = new StateLayer(whole, ledger.moment);
    const result = applyOperation(operation, { layer, transaction, index });
    if (isOperationSuccess(result)) layer.commitTo(whole);
    return result;
  });
  if (!operations.every(isOperationSuccess)) return { code: 'txFailed', operations };
  whole.commitTo(ledger);
  return { code: 'txSuccess', operations };
}

function applyInner(transaction: InnerTransaction, ledger: StateLayer, paysFee: boolean): InnerVerdict {
  const signatures = new SignatureCheck(transaction.hash, transaction.signatures);
  const context = { state: ledger, moment: ledger.moment, waitSeconds: 0, applying: true };
  const code = checkTransaction(transaction, context, signatures, paysFee);
  if (code !== undefined) {
    if (code === 'txBadAuth' || code === 'txBadMinSeqAgeOrGap') useSequence(transaction, ledger);
    return refusedVerdict(code);
  }
  useSequence(transaction, ledger);
  const refused = transaction.operations.map((operation) =>
    findUnauthorized(operation, transaction, ledger, signatures),
  );
  if (refused.some((result) => result !== undefined)) {
    const operations = transaction.operations.map(
      (operation, at) => refused[at] ?? untouchedResult(operation),
    );
    return { code: 'txFailed', operations };
  }
  if (!signatures.allUsed()) return refusedVerdict('txBadAuthExtra');
  return applyOperations(transaction, ledger);
}

/** Applies `envelopes` to `ledger` in order. The results are in the same order. */
export function applyTransactions(
  envelopes: readonly StellarEnvelope[],
  ledger: StateLayer,
  feePerOperation = BASE_FEE_STROOPS,
): TransactionVerdict[] {
  const fees = envelopes.map((envelope) => takeFee(envelope, ledger, feePerOperation));
  return envelopes.map(({ inner, bump }, at) => {
    const feeCharged = fees[at]!;
    const { code, operations } = applyInner(inner, ledger, bump === undefined);
    if (bump === undefined) return { code, operations, feeCharged };
    return {
      code: code === 'txSuccess' ? 'txFeeBumpInnerSuccess' : 'txFeeBumpInnerFailed',
      operations,
      feeCharged,
      inner: { hash: inner.hash, code },
    };
  });
}
