// A closed transaction in Horizon's format. `hash` may be the hash of the transaction inside a fee-bump. Then the record has
// that hash and also contains the fee-bump.
import type { xdr } from '@stellar/stellar-sdk';
import type { InnerTransaction } from '../envelope.ts';
import type { ClosedTransaction } from '../history.ts';
import { accountFields, type HorizonJson, linkTo, memoFields, pagedLinkTo, timeText } from './format.ts';

/** An empty list of changes. This ledger records results, but no changes of ledger entries. */
const NO_CHANGES = 'AAAAAA==';

const signatureTexts = (list: readonly xdr.DecoratedSignature[]) =>
  list.map(({ signature }) => Buffer.from(signature.toBytes()).toString('base64'));

function preconditionFields(inner: InnerTransaction): HorizonJson {
  const { conditions } = inner;
  const all: HorizonJson = {};
  if (inner.hasTimeBounds) {
    all.timebounds = {
      min_time: inner.minTime.toString(),
      ...(inner.maxTime > 0n ? { max_time: inner.maxTime.toString() } : {}),
    };
  }
  if (conditions?.ledgerBounds != null) {
    const { minLedger, maxLedger } = conditions.ledgerBounds;
    all.ledgerbounds = { min_ledger: minLedger, max_ledger: maxLedger };
  }
  if (conditions?.minSeqNum != null) all.min_account_sequence = conditions.minSeqNum.toString();
  return Object.keys(all).length === 0 ? {} : { preconditions: all };
}

function bumpFields({ envelope }: ClosedTransaction): HorizonJson {
  const { bump, inner } = envelope;
  if (bump === undefined) return {};
  return {
    fee_bump_transaction: { hash: bump.hashHex, signatures: signatureTexts(bump.signatures) },
    inner_transaction: {
      hash: inner.hashHex,
      signatures: signatureTexts(inner.signatures),
      max_fee: inner.fee.toString(),
    },
  };
}

export function transactionRecord(
  base: string,
  transaction: ClosedTransaction,
  hash = transaction.envelope.hashHex,
): HorizonJson {
  const { envelope, verdict, ledger } = transaction;
  const { inner, bump } = envelope;
  const position = transaction.toid.toString();
  const own = `/transactions/${hash}`;
  const signed = bump !== undefined && hash === bump.hashHex ? bump.signatures : inner.signatures;
  return {
    ...memoFields(inner.memo),
    _links: {
      self: linkTo(base, own),
      account: linkTo(base, `/accounts/${inner.source.id}`),
      ledger: linkTo(base, `/ledgers/${ledger}`),
      operations: pagedLinkTo(base, `${own}/operations`),
      effects: pagedLinkTo(base, `${own}/effects`),
      precedes: linkTo(base, `/transactions?order=asc&cursor=${position}`),
      succeeds: linkTo(base, `/transactions?order=desc&cursor=${position}`),
      transaction: linkTo(base, own),
    },
    id: hash,
    paging_token: position,
    successful: transaction.successful,
    hash,
    ledger,
    created_at: timeText(transaction.closeTime),
    source_account: inner.source.id,
    ...(inner.source.muxed === undefined
      ? {}
      : { account_muxed: inner.source.muxed.address, account_muxed_id: inner.source.muxed.id.toString() }),
    source_account_sequence: inner.sequence.toString(),
    ...accountFields('fee_account', envelope.feeSource),
    fee_charged: verdict.feeCharged.toString(),
    max_fee: envelope.feeBid.toString(),
    operation_count: inner.operations.length,
    envelope_xdr: envelope.xdr,
    result_xdr: transaction.resultXdr,
    fee_meta_xdr: NO_CHANGES,
    signatures: signatureTexts(signed),
    ...preconditionFields(inner),
    ...bumpFields(transaction),
  };
}
