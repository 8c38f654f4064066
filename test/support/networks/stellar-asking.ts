// One signed Stellar payment, and fake servers that respond to queries about it: what landed, what used its sequence number,
// and which ledgers have closed.
import { xdr } from '@stellar/stellar-sdk/base';
import { makeAsk } from '../../../src/adapters/networks/stellar/pay/ask.ts';
import { makePrepare } from '../../../src/adapters/networks/stellar/pay/prepare.ts';
import type { Payment, SignedTransaction } from '../../../src/ports/networks/network-payer.ts';
import {
  accountFields,
  makeChain,
  makeWallet,
  NO_TURN,
  page,
  paymentTo,
  START_MS,
  TREASURY,
  type View,
} from '../../contract/stellar/stellar-fixtures.ts';

export const VALID_MS = 60_000;
export const AFTER_MS = START_MS + VALID_MS + 1_000;

export async function stage(views: readonly View[], payment: Partial<Payment> = {}, agreeFromMinor = 1_000n) {
  const chain = makeChain(views, { validForMs: VALID_MS, agreeFromMinor });
  const { envelopes } = await makePrepare(chain).prepare([paymentTo(makeWallet(views), payment)], NO_TURN);
  const prepared: SignedTransaction = envelopes[0]!;
  const asking = makeAsk(chain);
  const ask = () => asking.ask({ versions: [prepared], orderIds: ['mov_1'] });
  return { chain, prepared, ask };
}

export function pass(view: View, closedAtMs = AFTER_MS): void {
  view.closedAtMs = closedAtMs;
  view.latest += 10;
}

export function land(view: View, { hash }: SignedTransaction, changes: Record<string, unknown> = {}): void {
  view.at.set(`/transactions/${hash}`, {
    hash,
    successful: true,
    ledger: 101,
    created_at: '2026-11-14T10:00:05Z',
    fee_account: TREASURY,
    fee_charged: '100',
    ...changes,
  });
}

export const OTHER = 'b'.repeat(64);
const LIST = `/accounts/${TREASURY}/transactions`;

/** Another transaction in the account's list, with the sequence number of the payment. */
export function other(hash: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    hash,
    successful: true,
    ledger: 101,
    created_at: '2026-11-14T10:00:05Z',
    paging_token: `${101n << 32n}`,
    source_account: TREASURY,
    source_account_sequence: '42',
    fee_account: TREASURY,
    fee_charged: '100',
    ...changes,
  };
}

/** Marks the sequence number as used, and puts these records into the list of transactions. */
export function take(view: View, ...records: readonly unknown[]): void {
  view.latest = Math.max(view.latest, 101);
  view.at.set(`/accounts/${TREASURY}`, accountFields(TREASURY, { sequence: 42n }));
  view.at.set(LIST, page(records));
}

export const failedXdr = (code: 'txFailed' | 'txBadSeq') => {
  const payment = xdr.OperationResultTr.payment(xdr.PaymentResult.paymentNoTrust());
  const result =
    code === 'txFailed'
      ? xdr.TransactionResultResult.txFailed([xdr.OperationResult.opInner(payment)])
      : xdr.TransactionResultResult.txBadSeq();
  return new xdr.TransactionResult({
    feeCharged: 100n,
    result,
    ext: xdr.TransactionResultExt.v0(),
  }).toXdr('base64');
};
