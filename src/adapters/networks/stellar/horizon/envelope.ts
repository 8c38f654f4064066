// Builds a transaction with payments, and the data that is stored with its bytes to find its outcome later. The transaction
// never has a memo. A shared account credits its customers by memo, so our memo would have a wrong meaning or none there. The
// sequence number already makes equal payments different. The id in a muxed address is kept.
import {
  Account,
  Asset,
  Claimant,
  FeeBumpTransaction,
  Operation,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base';
import type { Payment, SignedTransaction } from '../../../../ports/networks/network-payer.ts';
import type { StellarToken } from './account.ts';
import { amountText, fieldsOf, numberOf, textOf, UnreadableAnswer, wholeOf } from './fields.ts';

/**
 *
 * After this time the treasury may take back unclaimed tokens. The wallet may claim them until the treasury has taken them back.
 *
 */
const RECLAIM_AFTER_SECONDS = 30 * 24 * 60 * 60;
/** The claimants are the wallet and the treasury. Each locks a base reserve of the treasury until the tokens are claimed. */
export const CLAIMANTS = 2n;

export interface PlannedPayment {
  readonly payment: Payment;
  readonly how: 'payment' | 'claimable_balance';
}

interface TransactionFrame {
  readonly source: string;
  readonly sequence: bigint;
  readonly passphrase: string;
  readonly feePerOperation: bigint;
  readonly validUntilSeconds: number;
}

interface PaymentDraft extends TransactionFrame {
  readonly planned: readonly PlannedPayment[];
  readonly token: StellarToken;
}

export function buildTransaction({ planned, token, ...frame }: PaymentDraft): Transaction {
  const asset = new Asset(token.code, token.issuer);
  return buildFromOperations(
    frame,
    planned.map((each) => operationOf(each, frame.source, asset)),
  );
}

export function buildFromOperations(
  { source, sequence, passphrase, feePerOperation, validUntilSeconds }: TransactionFrame,
  operations: readonly ReturnType<typeof Operation.payment>[],
): Transaction {
  const builder = new TransactionBuilder(new Account(source, `${sequence - 1n}`), {
    fee: `${feePerOperation}`,
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime: validUntilSeconds },
  });
  for (const operation of operations) builder.addOperation(operation);
  return builder.build();
}

function operationOf({ payment, how }: PlannedPayment, source: string, asset: Asset) {
  const amount = amountText(payment.amountMinor);
  if (how === 'payment') return Operation.payment({ destination: payment.to, asset, amount });
  const later = Claimant.predicateNot(Claimant.predicateBeforeRelativeTime(`${RECLAIM_AFTER_SECONDS}`));
  const claimants = [new Claimant(payment.to), new Claimant(source, later)];
  return Operation.createClaimableBalance({ asset, amount, claimants });
}

export interface StoredTransaction {
  readonly hash: string;
  readonly xdr: string;
  /** The signed transaction without a fee bump around it. */
  readonly inner: Transaction;
  /** The fee offered per operation, in stroops. */
  readonly bidMinor: bigint;
  readonly boundMs: number;
  /** The sum of the transaction's payments. The sum decides how many providers must agree. */
  readonly amountMinor: bigint;
  /** The ledger in which the account's sequence number was read. The transaction can only land in a later ledger. */
  readonly afterLedger: number;
}

/** All versions that were signed with one sequence number: a transaction, and fee bumps that contain the same transaction. */
export interface EnvelopeVersions
  extends Pick<StoredTransaction, 'inner' | 'boundMs' | 'amountMinor' | 'afterLedger'> {
  readonly innerHash: string;
  readonly hashes: readonly string[];
  readonly sequence: bigint;
  readonly newest: StoredTransaction;
}

export function writePayload(stored: Pick<StoredTransaction, 'xdr' | 'amountMinor' | 'afterLedger'>): string {
  const { xdr, amountMinor, afterLedger } = stored;
  return JSON.stringify({ xdr, amountMinor: `${amountMinor}`, afterLedger });
}

/** Throws `UnreadableAnswer` when the stored bytes do not match the hash. */
export function readStoredTransaction(
  { hash, payload, sequence, bound }: SignedTransaction,
  passphrase: string,
): StoredTransaction {
  const fields = fieldsOf(JSON.parse(payload), 'the payload');
  const xdr = textOf(fields, 'xdr');
  const transaction = TransactionBuilder.fromXdr(xdr, passphrase);
  const inner = transaction instanceof FeeBumpTransaction ? transaction.innerTransaction : transaction;
  if (hashOf(transaction) !== hash || inner.sequence !== sequence)
    throw new UnreadableAnswer('the stored bytes do not match this hash');
  const boundMs = Number(inner.timeBounds?.maxTime ?? Number.NaN) * 1000;
  if (`${boundMs}` !== bound) throw new UnreadableAnswer('the stored bytes have a different time limit');
  // A fee bump counts as one more operation.
  const units = BigInt(inner.operations.length + (transaction === inner ? 0 : 1));
  return {
    hash,
    xdr,
    inner,
    bidMinor: BigInt(transaction.fee) / units,
    boundMs,
    amountMinor: wholeOf(fields, 'amountMinor'),
    afterLedger: numberOf(fields, 'afterLedger'),
  };
}

/** Throws `UnreadableAnswer` unless all versions belong to the same transaction. */
export function readEnvelopeVersions(
  prepared: readonly SignedTransaction[],
  passphrase: string,
): EnvelopeVersions {
  const all = prepared.map((each) => readStoredTransaction(each, passphrase));
  const newest = all.at(-1);
  if (newest === undefined) throw new UnreadableAnswer('there are no stored bytes');
  const { inner, boundMs, amountMinor, afterLedger } = all[0]!;
  const innerHash = hashOf(inner);
  if (all.some((each) => hashOf(each.inner) !== innerHash))
    throw new UnreadableAnswer('the stored versions do not belong to one transaction');
  const hashes = [...new Set([innerHash, ...all.map(({ hash }) => hash)])];
  const sequence = BigInt(inner.sequence);
  return { inner, innerHash, hashes, sequence, boundMs, amountMinor, afterLedger, newest };
}

export function hashOf(transaction: Transaction | FeeBumpTransaction): string {
  return Buffer.from(transaction.hash()).toString('hex');
}

export function claimableBalances({ inner }: Pick<StoredTransaction, 'inner'>) {
  return inner.operations.flatMap(({ type }, index) =>
    type === 'createClaimableBalance' ? [{ index, id: inner.getClaimableBalanceId(index) }] : [],
  );
}
