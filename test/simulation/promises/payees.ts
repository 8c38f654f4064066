// Checks who is paid and when. The service must pay no person on a screening list and no account with another name. It must
// refund only to accounts that the bank or two people named. A payment may be done only after its network reports it as final.
import {
  PAYING_FATES,
  type WorldPayout,
  type WorldTransfer,
} from '../../../src/adapters/simulation/simulated-world.ts';
import { type Change, listMatches, type MatchRecord } from '../../../src/domain/records/change.ts';
import { isFullAccount } from '../../../src/domain/records/credit.ts';
import { type Movement, parseBankReference } from '../../../src/domain/records/movement.ts';
import type { ReviewRequest } from '../../../src/domain/review/proposal.ts';
import type { Scenario } from '../../../src/ports/sandbox.ts';
import type { Tables } from '../model/tables.ts';
import { OTHER_NAME } from '../people/payments.ts';
import type { Happened } from '../world/outside.ts';
import { ownerOf } from '../world/places.ts';

export interface PayeeWatch {
  applied(change: Change): void;
  payout(row: WorldPayout): void;
  transfer(row: WorldTransfer): void;
}

export interface PayeeWatchParts {
  readonly tables: () => Tables;
  readonly happened: () => Happened;
  readonly now: () => number;
  readonly listedAccounts: ReadonlySet<string>;
  readonly listedWallets: ReadonlySet<string>;
  /** The account from which a payment really came, by the bank's id of the payment. */
  readonly payerOf: (sourceId: string) => string | undefined;
  readonly scenarioOf: (transactionId: string) => Scenario | undefined;
  readonly broken: (promise: string, detail: string, subject: string | null) => void;
}

export function makePayeeWatch(parts: PayeeWatchParts): PayeeWatch {
  const { tables, happened, now, listedAccounts, listedWallets, payerOf, scenarioOf, broken } = parts;
  const transactionOf = ({ transactionId }: Movement) =>
    transactionId === null ? undefined : tables().transactions.get(transactionId);

  const finalWhenDone = ({ id, state, network, transactionId }: Movement) => {
    if (state !== 'done' || network === null) return;
    const isFinal = happened().transfers.some(
      ({ orderId, fate, finalAtMs }) => orderId === id && PAYING_FATES.includes(fate) && finalAtMs <= now(),
    );
    if (!isFinal) broken('nothing is done before it is final', id, transactionId);
  };
  const inTheirName = ({ creditId, transactionId, actor }: MatchRecord) => {
    if (transactionId === null || actor !== 'matching') return;
    const { payerName, payerAccount } = tables().credits.get(creditId)!;
    if (payerName === OTHER_NAME) broken('another name is a person’s to decide', creditId, transactionId);
    const { accountNumber } = tables().transactions.get(transactionId)!;
    if (isFullAccount(payerAccount) && payerAccount !== accountNumber)
      broken('another account is a person’s to decide', creditId, transactionId);
  };
  /** Anyone may pay from their own account. Such a payment must not stop another customer's buy. */
  const strangersTouchNothing = ({ match, transactions = [] }: Change) => {
    if (match === undefined || match.actor !== 'matching') return;
    const { payerAccount, narration } = tables().credits.get(match.creditId)!;
    if (!isFullAccount(payerAccount) || narration !== null) return;
    for (const { after } of transactions)
      if (after.accountNumber !== payerAccount)
        broken('a payment from another account touches no buy', match.creditId, after.id);
  };
  /**
   * True if the account is the real source of the payment, or if two people named it. It is also true if the bank showed no
   * digits and the account's owner has the payer's name.
   */
  const isPayers = ({ creditId }: Movement, accountNumber: string) => {
    if (creditId === null) return true;
    const { sourceId, payerAccount, payerName } = tables().credits.get(creditId)!;
    if ((payerOf(sourceId) ?? payerAccount) === accountNumber) return true;
    if (payerAccount === null && ownerOf(accountNumber).toUpperCase() === payerName) return true;
    return [...tables().proposals.values()].some(({ request }) => namedIn(request) === accountNumber);
  };

  return {
    applied: (change) => {
      for (const { after } of change.movements ?? []) finalWhenDone(after);
      for (const match of listMatches(change)) inTheirName(match);
      strangersTouchNothing(change);
    },
    payout: ({ reference, accountNumber }) => {
      const movement = tables().movements.get(parseBankReference(reference));
      if (movement === undefined) return;
      const transaction = transactionOf(movement);
      const allowed = movement.kind === 'payout' && transaction?.released === true;
      if (listedAccounts.has(accountNumber) && !allowed)
        broken('no person on a list is paid', reference, transaction?.id ?? null);
      const story = transaction && scenarioOf(transaction.id);
      if (movement.kind === 'payout' && story === 'payout_name_mismatch' && !allowed)
        broken('an account in another name is not paid', reference, transaction!.id);
      if (movement.kind === 'refund' && !isPayers(movement, accountNumber))
        broken('a refund goes to who paid, or where two people say', reference, transaction?.id ?? null);
    },
    transfer: ({ orderId, address }) => {
      const movement = tables().movements.get(orderId);
      if (movement === undefined || !listedWallets.has(address)) return;
      const transaction = transactionOf(movement);
      // If people released a buy, they have reviewed its wallet, so the send is allowed.
      if (movement.kind !== 'send' || transaction?.released !== true)
        broken('no person on a list is paid', orderId, transaction?.id ?? null);
    },
  };
}

function namedIn({ action, detail }: ReviewRequest): string | null {
  const target = action === 'pay_again' ? detail.account : action === 'refund' ? detail.target : null;
  return target !== null && 'accountNumber' in target ? target.accountNumber : null;
}
