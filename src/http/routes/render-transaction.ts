// Renders a transaction as JSON. The API defines the names of the fields and their spelling. Most fields come from the record
// alone; refunds, payout and held money are added only if the caller has read them.
import type { DetailedTransaction, ShownDestination, ShownRefund } from '../../app/intake/read-details.ts';
import type { ShownLine } from '../../app/intake/read-timeline.ts';
import { toPublicException, toPublicReason, toPublicWarnings } from '../../domain/records/public-reasons.ts';
import {
  computeArrivedMinor,
  computeMissingMinor,
  type DepositInstruction,
  type Transaction,
} from '../../domain/records/transaction.ts';
import { lagosDate } from '../../domain/values/calendar.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { minorToWire } from '../../domain/values/money.ts';
import type { Networks } from '../../ports/networks/network.ts';
import { nextAction } from './next-action.ts';

const TYPE_WORDS = { buy: 'Buy', sell: 'Sell' } as const;

export function renderTransaction(transaction: Transaction, networks: Networks) {
  const { vendor, wallet, txHash, mode } = transaction;
  return {
    transaction_id: transaction.id,
    business: { business_id: transaction.businessId },
    type: TYPE_WORDS[transaction.type],
    reference: transaction.reference,
    quote_id: transaction.quoteId,
    amount: minorToWire(transaction.amountMinor),
    ...(vendor !== null && {
      link_account_name: vendor.name,
      link_account_number: vendor.number,
      link_bank_name: vendor.bank,
    }),
    account_number: transaction.accountNumber,
    account_name: transaction.accountName,
    bank_name: transaction.bankName,
    link_tag: transaction.linkTag,
    network: wallet?.network ?? null,
    wallet_address: wallet?.address ?? null,
    ...(transaction.type === 'sell' && renderDeposits(transaction)),
    date_created: lagosDate(transaction.createdAtMs),
    state: transaction.state,
    ...renderReason(transaction),
    next_action: nextAction(transaction),
    exception: toPublicException(transaction),
    mode: transaction.mode,
    fee: minorToWire(transaction.feeMinor),
    net_amount: minorToWire(transaction.amountMinor - transaction.feeMinor),
    ...renderArrivedAmounts(transaction, 0n),
    refunded_amount: minorToWire(transaction.refundedMinor),
    tx_hash: txHash,
    explorer_url: explorerUrl(networks, mode, networkOf(transaction), txHash),
    warnings: toPublicWarnings(transaction.flags),
    created_at: new Date(transaction.createdAtMs).toISOString(),
    updated_at: new Date(transaction.updatedAtMs).toISOString(),
    expires_at: new Date(transaction.expiresAtMs).toISOString(),
  };
}

/** Renders a transaction with all fields of a response. The caller has read its refunds and its payout separately. */
export function renderDetailedTransaction({ transaction, details }: DetailedTransaction, networks: Networks) {
  const { refunds, payout, heldMinor, accountWarning, payoutSureAtMs } = details;
  const flags = accountWarning === null ? transaction.flags : [...transaction.flags, accountWarning];
  return {
    ...renderTransaction(transaction, networks),
    next_action: nextAction({ ...transaction, accountWarning, payoutSureAtMs }),
    warnings: toPublicWarnings(flags),
    ...renderArrivedAmounts(transaction, heldMinor),
    refunds: refunds.map((refund) => renderRefund(refund, transaction.mode, networks)),
    ...(transaction.type === 'sell' && {
      payout: payout && { bank_reference: payout.bankReference, state: payout.state },
    }),
  };
}

function renderArrivedAmounts(transaction: Transaction, heldMinor: bigint) {
  const hereMinor = computeArrivedMinor(transaction, heldMinor);
  return {
    received_amount: minorToWire(hereMinor),
    missing_amount: minorToWire(computeMissingMinor(transaction, hereMinor)),
  };
}

function renderRefund(refund: ShownRefund, mode: Mode, networks: Networks) {
  const { id, amountMinor, state, network, destination, txHash, bankReference } = refund;
  return {
    refund_id: id,
    amount: minorToWire(amountMinor),
    state,
    destination: destination && renderDestination(destination),
    tx_hash: txHash,
    explorer_url: explorerUrl(networks, mode, network, txHash),
    bank_reference: bankReference,
    created_at: new Date(refund.createdAtMs).toISOString(),
    updated_at: new Date(refund.updatedAtMs).toISOString(),
  };
}

function renderDestination(destination: ShownDestination) {
  if (destination.kind === 'wallet')
    return { network: destination.network, wallet_address: destination.address };
  const { bankCode, bankName, accountNumber, accountName } = destination;
  return {
    bank_code: bankCode,
    bank_name: bankName,
    account_number: accountNumber,
    account_name: accountName,
  };
}

/** Returns the network of the transaction hash. It is null while the tokens of a sell may still arrive on several networks. */
function networkOf({ wallet, deposits }: Transaction): string | null {
  return wallet?.network ?? (deposits.length === 1 ? deposits[0]!.network : null);
}

function explorerUrl(
  networks: Networks,
  mode: Mode,
  network: string | null,
  txHash: string | null,
): string | null {
  if (network === null || txHash === null) return null;
  return networks.find(mode, network)?.explorerUrl(txHash) ?? null;
}

function renderDeposits({ deposits, amountMinor }: Transaction) {
  const rendered = deposits.map((deposit) => renderDeposit(deposit, amountMinor));
  return { deposit: rendered.length === 1 ? rendered[0] : null, deposits: rendered };
}

/** One token is worth one naira, so the expected token amount is the amount of the sell. */
function renderDeposit(deposit: DepositInstruction, amountMinor: bigint) {
  return {
    network: deposit.network,
    address: deposit.address,
    memo: deposit.memo,
    memo_type: deposit.memoType,
    asset: deposit.asset,
    expected_amount: minorToWire(amountMinor),
    confirmations: deposit.confirmations,
    expires_at: new Date(deposit.expiresAtMs).toISOString(),
  };
}

/**
 * Returns a code for programs and a sentence for people, both from a fixed list. Before the first change of state, the code is
 * `accepted`.
 */
function renderReason({ stateReason, state }: Transaction) {
  const { code, sentence } = toPublicReason(stateReason ?? 'accepted', state);
  return { state_reason: code, state_message: sentence };
}

export function renderTimelineLine({ from, to, actor, reason, sentence, evidence, atMs }: ShownLine) {
  return { from, to, actor, reason, message: sentence, evidence, at: new Date(atMs).toISOString() };
}
