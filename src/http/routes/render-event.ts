// Renders an event as JSON. The bytes are exactly the same in lists, streams and webhook bodies.
import { maskAccount } from '../../app/intake/read-details.ts';
import { showActor } from '../../app/intake/read-timeline.ts';
import type { BusinessEvent, CompletedRefund, TransactionEvent } from '../../domain/events/event.ts';
import {
  type AccountDestination,
  bankReference,
  type WalletDestination,
} from '../../domain/records/movement.ts';
import { toPublicReason } from '../../domain/records/public-reasons.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { minorToWire } from '../../domain/values/money.ts';
import type { Networks } from '../../ports/networks/network.ts';
import { renderTransaction } from './render-transaction.ts';

export function renderEvent(event: BusinessEvent, networks: Networks) {
  const { id, type, atMs, mode, sequence } = event;
  const data = event.kind === 'transaction' ? renderData(event, networks) : event.data;
  return { id, type, timestamp: new Date(atMs).toISOString(), mode, sequence, data };
}

function renderData({ transaction, change, refund, type }: TransactionEvent, networks: Networks) {
  const { code, sentence } = toPublicReason(change.reason, change.to);
  return {
    transaction: renderTransaction(transaction, networks),
    change: {
      from: change.from,
      to: change.to,
      reason: code,
      message: sentence,
      actor: showActor(change.actor, code),
    },
    ...(type === 'refund.completed' && { refund: refund && renderRefund(refund, transaction) }),
  };
}

function renderRefund(refund: CompletedRefund, transaction: Transaction) {
  const byBank = refund.network === null;
  return {
    refund_id: refund.movementId,
    amount: minorToWire(refund.nairaMinor),
    state: 'done',
    destination: renderDestination(refund, transaction),
    tx_hash: byBank ? null : refund.reference,
    bank_reference: byBank ? bankReference(refund.movementId) : null,
  };
}

/** The result omits the name of the bank, because the bank directory may change and an event must not change. */
function renderDestination({ network, destination }: CompletedRefund, transaction: Transaction) {
  if (network !== null) return { network, wallet_address: (destination as WalletDestination).address };
  const account = destination as AccountDestination;
  const { accountNumber, accountName } = maskAccount(transaction, account);
  return { bank_code: account.bankCode, account_number: accountNumber, account_name: accountName };
}
