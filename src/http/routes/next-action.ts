// Describes the next step of a transaction in one sentence for the business: `next_action` in every response. The sentence
// contains paths of the API, so this file is next to the routes.
import { leadsToRefund, REFUND_DECIDED, type TransactionException } from '../../domain/records/exceptions.ts';
import type { TransactionState, TransactionType } from '../../domain/records/states.ts';
import { lagosTime } from '../../domain/values/calendar.ts';

export interface AwaitingTransaction {
  readonly type: TransactionType;
  readonly state: TransactionState;
  readonly wallet: unknown;
  /** The naira or tokens that arrived for the transaction. */
  readonly receivedMinor: bigint;
  readonly exception: TransactionException | null;
  readonly stateReason?: string | null;
  /**
   * If a bank refused a payout: the approximate time when this refusal becomes certain. Null: a person must decide. Absent: the
   * time was not read.
   */
  readonly payoutSureAtMs?: number | null;
  /** The warning from the bank's response about the bank account of a sell. Absent: this response was not read. */
  readonly accountWarning?: string | null;
}

const PUT_WALLET = 'PUT /transactions/v1/{transaction_id}/wallet.';
const GIVE_WALLET = `Set the wallet that receives the tokens: ${PUT_WALLET}`;
const GIVE_REFUND_WALLET = `Set the wallet that receives the returned tokens: ${PUT_WALLET}`;

const OTHER_ACCOUNT =
  'The bank does not know the account. Do not send tokens: cancel this sell (POST /transactions/v1/{transaction_id}/cancel) and submit one with the right account.';
const PAYOUT_RETURNED =
  'The bank returned the payout. Send the operator the account to pay; the payout is repeated, or the tokens are returned.';

const CONFIRMING = 'Waiting for the bank to confirm the payout.';

/** The sentence gives the time in Lagos, because the recipient of the naira is in Nigeria. */
function confirmingRefusal({ payoutSureAtMs = null }: AwaitingTransaction): string {
  const until = payoutSureAtMs === null ? '' : `, until about ${lagosTime(payoutSureAtMs)} in Lagos`;
  return `The bank refused the payout. Before we pay in another way or return the tokens, we wait to be sure that the bank has not paid${until}.`;
}

/** Null if the transaction has no next step. */
export function nextAction(awaiting: AwaitingTransaction): string | null {
  const { type, state, wallet, receivedMinor, exception } = awaiting;
  switch (state) {
    case 'awaiting_wallet':
      return receivedMinor > 0n ? `The payment was found. ${GIVE_WALLET}` : GIVE_WALLET;
    case 'awaiting_payment':
      return 'Waiting for the bank to report the payment into the vendor account.';
    case 'awaiting_deposit':
      if (awaiting.accountWarning === 'account_not_found' && receivedMinor === 0n) return OTHER_ACCOUNT;
      return receivedMinor > 0n
        ? 'A part of the tokens arrived; waiting for the rest at the deposit address.'
        : 'Waiting for the tokens to arrive at the deposit address.';
    case 'awaiting_trustline':
      return 'Waiting for the wallet to open a trustline for the token.';
    case 'paid':
      return 'The payment was found; the tokens are about to be sent.';
    case 'deposited':
      return 'The tokens arrived; the bank payout is about to be made.';
    case 'on_hold':
      return nextActionOnHold(awaiting);
    case 'sending':
      return 'The tokens are being sent.';
    case 'confirming':
      return type === 'buy'
        ? 'Waiting for the network to confirm the transfer of the tokens.'
        : 'Waiting for the network to confirm the deposit.';
    case 'paying_out':
      return awaiting.stateReason === 'payout_refused' ? confirmingRefusal(awaiting) : CONFIRMING;
    case 'payout_failed':
      return wallet === null
        ? `The bank refused the payout. ${GIVE_REFUND_WALLET}`
        : 'The bank refused the payout; the tokens will be returned to the wallet.';
    case 'completed':
    case 'expired':
    case 'cancelled':
      return type === 'sell' && wallet === null && leadsToRefund(exception)
        ? `Tokens are to be returned. Set the wallet that receives them: ${PUT_WALLET}`
        : null;
    case 'rejected':
    case 'refunded':
      return null;
  }
}

/** A transaction can be on hold without waiting for a reviewer. */
function nextActionOnHold({ type, wallet, exception }: AwaitingTransaction): string {
  if (exception === 'wallet_missing') return `The payment was found. ${GIVE_WALLET}`;
  if (type === 'sell' && exception === 'payout_returned') return PAYOUT_RETURNED;
  if (exception !== REFUND_DECIDED) return 'Waiting for an operator to review the transaction.';
  if (type === 'buy') return 'The payment is being returned.';
  return wallet === null ? GIVE_REFUND_WALLET : 'The tokens are being returned to the wallet.';
}
