// The closed ledgers and their content. They can be found by hash, by account and by position. A position is one number made of
// ledger, transaction and operation, as on the real network. It is also the paging token.
import type { xdr } from '@stellar/stellar-sdk';
import { accountId, accountRef, type DecodedOperation, type StellarEnvelope } from './envelope.ts';
import { sourceOf } from './operations/apply-operation.ts';
import { isTransactionSuccess, type TransactionVerdict, verdictXdr } from './results.ts';

export interface ClosedOperation {
  readonly toid: bigint;
  readonly transaction: ClosedTransaction;
  readonly operation: DecodedOperation;
  /** Absent if the transaction failed before its operations were checked. */
  readonly result: xdr.OperationResult | undefined;
}

export interface ClosedTransaction {
  readonly toid: bigint;
  readonly ledger: number;
  readonly closeTime: number;
  readonly envelope: StellarEnvelope;
  readonly verdict: TransactionVerdict;
  readonly successful: boolean;
  readonly resultXdr: string;
  readonly operations: readonly ClosedOperation[];
}

export interface ClosedLedger {
  readonly sequence: number;
  readonly closeTime: number;
  readonly hash: string;
  readonly previousHash: string;
  readonly feePool: bigint;
  /** The fee per operation of this ledger. It is above the minimum if the ledger was full. */
  readonly feePerOperation: bigint;
  readonly transactions: readonly ClosedTransaction[];
}

export interface HistoryLists {
  readonly transactions: ClosedTransaction[];
  readonly operations: ClosedOperation[];
  readonly payments: ClosedOperation[];
}

export function makeToid(ledger: number, transaction: number, operation: number): bigint {
  return (BigInt(ledger) << 32n) | (BigInt(transaction) << 12n) | BigInt(operation);
}

const PAYMENTS = new Set<string>(['createAccount', 'payment', 'accountMerge']);

/** Finds all accounts in an operation, in the same way as Horizon indexes them. */
function participantsOf({ operation, transaction }: ClosedOperation): Set<string> {
  const { body } = operation;
  const all = new Set([sourceOf(operation, transaction.envelope.inner)]);
  switch (body.type) {
    case 'createAccount':
      all.add(accountId(body.createAccountOp.destination));
      break;
    case 'payment':
      all.add(accountRef(body.paymentOp.destination).id);
      break;
    case 'accountMerge':
      all.add(accountRef(body.destination).id);
      break;
    case 'setTrustLineFlags':
      all.add(accountId(body.setTrustLineFlagsOp.trustor));
      break;
    case 'createClaimableBalance':
      for (const { v0 } of body.createClaimableBalanceOp.claimants) all.add(accountId(v0.destination));
      break;
  }
  return all;
}

const emptyLists = (): HistoryLists => ({ transactions: [], operations: [], payments: [] });

export function closeTransaction(
  envelope: StellarEnvelope,
  verdict: TransactionVerdict,
  at: { readonly ledger: number; readonly closeTime: number; readonly order: number },
): ClosedTransaction {
  const operations: ClosedOperation[] = [];
  const transaction: ClosedTransaction = {
    toid: makeToid(at.ledger, at.order, 0),
    ledger: at.ledger,
    closeTime: at.closeTime,
    envelope,
    verdict,
    successful: isTransactionSuccess(verdict),
    resultXdr: verdictXdr(verdict),
    operations,
  };
  for (const [index, operation] of envelope.inner.operations.entries()) {
    const position = makeToid(at.ledger, at.order, index + 1);
    operations.push({ toid: position, transaction, operation, result: verdict.operations[index] });
  }
  return transaction;
}

export class LedgerHistory {
  readonly ledgers: ClosedLedger[] = [];
  readonly all: HistoryLists = emptyLists();
  readonly #byHash = new Map<string, ClosedTransaction>();
  readonly #byAccount = new Map<string, HistoryLists>();

  get latest(): ClosedLedger {
    return this.ledgers[this.ledgers.length - 1]!;
  }

  ledger(sequence: number): ClosedLedger | undefined {
    return this.ledgers[sequence - 1];
  }

  /**
   * Finds a transaction up to ledger `upTo`. The hash may be that of the submission, or that of the transaction inside a
   * fee-bump.
   */
  transaction(hashHex: string, upTo: number): ClosedTransaction | undefined {
    const found = this.#byHash.get(hashHex);
    return found === undefined || found.ledger > upTo ? undefined : found;
  }

  /** Undefined means that the account appears in no closed ledger. */
  ofAccount(id: string): HistoryLists | undefined {
    return this.#byAccount.get(id);
  }

  add(ledger: ClosedLedger): void {
    this.ledgers.push(ledger);
    for (const transaction of ledger.transactions) {
      const { envelope, operations } = transaction;
      this.#byHash.set(envelope.hashHex, transaction);
      this.#byHash.set(envelope.inner.hashHex, transaction);
      this.all.transactions.push(transaction);
      const touched = new Set([envelope.inner.source.id, envelope.feeSource.id]);
      for (const operation of operations) {
        const isPayment = PAYMENTS.has(operation.operation.body.type);
        this.all.operations.push(operation);
        if (isPayment) this.all.payments.push(operation);
        for (const id of participantsOf(operation)) {
          touched.add(id);
          const lists = this.#listsOf(id);
          lists.operations.push(operation);
          if (isPayment) lists.payments.push(operation);
        }
      }
      for (const id of touched) this.#listsOf(id).transactions.push(transaction);
    }
  }

  #listsOf(id: string): HistoryLists {
    let lists = this.#byAccount.get(id);
    if (lists === undefined) {
      lists = emptyLists();
      this.#byAccount.set(id, lists);
    }
    return lists;
  }
}
