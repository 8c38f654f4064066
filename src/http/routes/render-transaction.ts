// A transaction as JSON. Field names and spellings are fixed by the interface.

import type { ShownLine } from '../../app/intake/read-timeline.ts';
import { publicException, publicReason } from '../../domain/records/public-words.ts';
import type { DepositInstruction, Transaction } from '../../domain/records/transaction.ts';
import { lagosDate } from '../../domain/values/calendar.ts';
import { minorToWire } from '../../domain/values/money.ts';
import type { Networks } from '../../ports/network/network.ts';
import { nextAction } from './next-action.ts';

const TYPE_WORDS = { buy: 'Buy', sell: 'Sell' } as const;

export function renderTransaction(transaction: Transaction, networks: Networks) {
  const { vendor, wallet, txHash, mode } = transaction;
  const network = wallet === null ? undefined : networks.find(mode, wallet.network);
  return {
    transaction_id: transaction.id,
    business: { business_id: transaction.businessId },
    type: TYPE_WORDS[transaction.type],
    reference: transaction.reference,
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
    exception: publicException(transaction),
    mode: transaction.mode,
    fee: minorToWire(transaction.feeMinor),
    net_amount: minorToWire(transaction.amountMinor - transaction.feeMinor),
    refunded_amount: minorToWire(transaction.refundedMinor),
    tx_hash: txHash,
    explorer_url: (txHash !== null && network?.explorerUrl(txHash)) || null,
    created_at: new Date(transaction.createdAtMs).toISOString(),
    updated_at: new Date(transaction.updatedAtMs).toISOString(),
    expires_at: new Date(transaction.expiresAtMs).toISOString(),
  };
}

function renderDeposits({ deposits, amountMinor }: Transaction) {
  const rendered = deposits.map((deposit) => renderDeposit(deposit, amountMinor));
  return { deposit: rendered.length === 1 ? rendered[0] : null, deposits: rendered };
}

/** One token is one naira, so the amount expected is the amount of the sell. */
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

/** A code for programs and a sentence for people, both from the closed list of what a business may read. */
function renderReason({ stateReason, state }: Transaction) {
  if (stateReason === null) return { state_reason: null, state_message: null };
  const { code, sentence } = publicReason(stateReason, state);
  return { state_reason: code, state_message: sentence };
}

export function renderTimelineLine({ from, to, actor, reason, sentence, evidence, atMs }: ShownLine) {
  return { from, to, actor, reason, message: sentence, evidence, at: new Date(atMs).toISOString() };
}
