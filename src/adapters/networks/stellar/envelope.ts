// One transaction that pays: how it is built, and what is kept with its bytes to judge later what became of it. There is
// never a memo: to a shared account a memo says whose money it is, one of ours would at best mean nothing there, and the
// sequence already makes equal payments different. The id in a muxed address is kept.
import {
  Account,
  Asset,
  Claimant,
  Operation,
  Transaction,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base';
import type { Payment, Prepared } from '../../../ports/network.ts';
import type { Token } from './account.ts';
import { amountText, fieldsOf, numberOf, textOf, Unreadable, wholeOf } from './fields.ts';

/** After so long tokens that nobody took may be taken back by the treasury; the wallet may take them as long as they lie there. */
const RECLAIM_AFTER_SECONDS = 30 * 24 * 60 * 60;
/** The wallet and the treasury: each entry locks a base reserve of the treasury until the tokens are taken. */
export const CLAIMANTS = 2n;

export interface Planned {
  readonly payment: Payment;
  readonly how: 'payment' | 'claimable_balance';
}

/** Where a transaction has its place, and for how long. */
interface Frame {
  readonly source: string;
  readonly sequence: bigint;
  readonly passphrase: string;
  readonly feePerOperation: bigint;
  readonly validUntilSeconds: number;
}

interface Draft extends Frame {
  readonly planned: readonly Planned[];
  readonly token: Token;
}

export function buildTransaction({ planned, token, ...frame }: Draft): Transaction {
  const asset = new Asset(token.code, token.issuer);
  return transactionOf(
    frame,
    planned.map((each) => operationOf(each, frame.source, asset)),
  );
}

export function transactionOf(
  { source, sequence, passphrase, feePerOperation, validUntilSeconds }: Frame,
  operations: readonly ReturnType<typeof Operation.payment>[],
): Transaction {
  // The builder takes the place after the account's.
  const builder = new TransactionBuilder(new Account(source, `${sequence - 1n}`), {
    fee: `${feePerOperation}`,
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime: validUntilSeconds },
  });
  for (const operation of operations) builder.addOperation(operation);
  return builder.build();
}

function operationOf({ payment, how }: Planned, source: string, asset: Asset) {
  const amount = amountText(payment.amountMinor);
  if (how === 'payment') return Operation.payment({ destination: payment.to, asset, amount });
  const later = Claimant.predicateNot(Claimant.predicateBeforeRelativeTime(`${RECLAIM_AFTER_SECONDS}`));
  const claimants = [new Claimant(payment.to), new Claimant(source, later)];
  return Operation.createClaimableBalance({ asset, amount, claimants });
}

/** What the stored text of a transaction holds. */
export interface Stored {
  readonly hash: string;
  readonly xdr: string;
  readonly sequence: bigint;
  readonly boundMs: number;
  /** All it pays, which decides how many providers must agree. */
  readonly amountMinor: bigint;
  /** The last ledger before it was signed: it can only be in a later one. */
  readonly afterLedger: number;
}

export function payloadOf(stored: Pick<Stored, 'xdr' | 'amountMinor' | 'afterLedger'>): string {
  return JSON.stringify({ ...stored, amountMinor: `${stored.amountMinor}` });
}

/** Throws `Unreadable` when what was stored is not what was signed. */
export function storedOf({ hash, payload, sequence, bound }: Prepared, passphrase: string): Stored {
  const fields = fieldsOf(JSON.parse(payload), 'the payload');
  const xdr = textOf(fields, 'xdr');
  const transaction = new Transaction(xdr, passphrase);
  if (hashOf(transaction) !== hash || transaction.sequence !== sequence)
    throw new Unreadable('the stored bytes are not those of this hash');
  const boundMs = Number(transaction.timeBounds?.maxTime ?? Number.NaN) * 1000;
  if (`${boundMs}` !== bound) throw new Unreadable('the stored bytes have another bound');
  return {
    hash,
    xdr,
    sequence: BigInt(transaction.sequence),
    boundMs,
    amountMinor: wholeOf(fields, 'amountMinor'),
    afterLedger: numberOf(fields, 'afterLedger'),
  };
}

export function hashOf(transaction: Transaction): string {
  return Buffer.from(transaction.hash()).toString('hex');
}

/** Where tokens were laid down that a wallet could not take directly. */
export function claimableBalances({ xdr }: Stored, passphrase: string) {
  const transaction = new Transaction(xdr, passphrase);
  return transaction.operations.flatMap(({ type }, place) =>
    type === 'createClaimableBalance' ? [{ place, id: transaction.getClaimableBalanceId(place) }] : [],
  );
}
