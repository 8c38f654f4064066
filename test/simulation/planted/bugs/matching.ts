// Lists planted bugs in the first steps of a buy: the request, the match, the expiry and the limit check.
import { type Bug, within } from '../patch.ts';

const expiring = within('decideExpiry', { beside: 'expireTransactions' });
const payBuy = within('payBuy', { beside: 'refundCredit' });

export const MATCHING_BUGS: readonly Bug[] = [
  {
    name: 'acceptance_not_waited_for',
    what: 'A request is answered as accepted although the store did not answer.',
    patches: [
      within('acceptTransaction').exchange(
        'store.accept',
        "((acceptance) => store.accept(acceptance).catch(() => ({ kind: 'created' })))",
      ),
    ],
  },
  {
    name: 'matched_credit_stays_open',
    what: 'A credit that paid a buy stays open, and can pay another.',
    patches: [
      within('makeMatchedMove').exchange(
        "{ state: 'matched', exception: null, transactionId, dueAtMs: null }",
        '{ exception: null, transactionId: null }',
      ),
    ],
  },
  {
    name: 'refunded_credit_stays_open',
    what: 'A credit that is refunded stays open, and is refunded again the next time it is handled.',
    patches: [
      within('refundCredit').exchange(
        "{ state: 'refunded', exception: reason, transactionId, dueAtMs: null }",
        '{}',
      ),
    ],
  },
  {
    name: 'excess_refund_is_whole_credit',
    what: 'When too much was paid, the whole payment is refunded and the tokens are sent as well.',
    patches: [payBuy.exchange('amountMinor: excessMinor', 'amountMinor: credit.amountMinor')],
  },
  {
    name: 'excess_not_set_aside',
    what: 'The excess of a payment is refunded without being posted as due.',
    patches: [payBuy.drop("entryOf('excess_set_aside', { ...of, amounts: { amount: excessMinor } })")],
  },
  {
    name: 'part_paid_is_paid',
    what: 'A partial payment makes a buy paid.',
    patches: [
      within('makePaidMove').exchange('receivedMinor >= transaction.amountMinor', 'receivedMinor > 0n'),
    ],
  },
  {
    name: 'paid_buy_only_handed_over',
    what: 'A buy that is paid is handed to the send stage in memory only.',
    patches: [within('carryOutMatch').exchange('nextDueMs: atMs + networkLeaseMs(deps)', 'nextDueMs: null')],
  },
  {
    name: 'expired_claims_not_looked_at',
    what: 'Matching no longer considers expired buys, so a late payment stays unmatched.',
    patches: [within('OPEN_STATES', { folder: 'domain' }).drop("'expired'")],
  },
  {
    name: 'first_of_equal_claims_is_paid',
    what: 'When two claims look the same, the first of them is paid.',
    patches: [within('decideExact').drop('|| left.length > 1')],
  },
  {
    name: 'equal_claims_of_two_businesses',
    what: 'Equal claims are paid in the order they came, even if they belong to different businesses.',
    patches: [within('matchInOrder').drop('&& claim.businessId === businessId')],
  },
  {
    name: 'equal_claims_of_two_wallets',
    what: 'Equal claims are paid in the order they came, even if they are for different wallets.',
    patches: [within('matchInOrder').drop('&& claim.walletKey === walletKey')],
  },
  {
    name: 'paid_buy_expires',
    what: 'A buy that was paid before its wallet was given expires and keeps the money.',
    patches: [expiring.drop('return holdForWallet(transaction, atMs)')],
  },
  {
    name: 'expiry_not_in_timeline',
    what: 'A transaction expires without a line in its timeline.',
    patches: [
      expiring.exchange(
        "moveTransaction(transaction, 'expired', { actor: ACTOR, atMs, reason, dueAtMs: null })",
        "{ ...makeMove(transaction, { state: 'expired', stateReason: reason, dueAtMs: null }), line: null }",
      ),
    ],
  },
  {
    name: 'paid_buy_cancelled',
    seeds: 600,
    what: 'A buy can be cancelled after its payment was found.',
    patches: [within('decideCancel').drop('|| receivedMinor > 0n')],
  },
  {
    name: 'limit_usage_not_counted',
    what: 'The amounts of a business are not counted against its limits.',
    patches: [within('checkLimits').drop(', usage')],
  },
  {
    name: 'waiting_credit_forgotten',
    what: 'A credit that waits for a better match is never handled again.',
    patches: [within('carryOutMatch').exchange('verdict.untilMs', 'null')],
  },
  {
    name: 'claim_unnoticed_by_earlier_credit',
    seeds: 600,
    what: 'A credit without a claim is never handled again, so a later claim does not get it.',
    patches: [within('nextLookMs').exchange('waitedMs >= policy.matchWindowMs', 'true')],
  },
  {
    name: 'other_account_is_paid',
    what: 'A payment that names the buy is accepted without review, from any account of the same bank.',
    patches: [
      within('findContradiction').exchange(
        "account === 'different' || bank",
        "account === 'different' && bank",
      ),
    ],
  },
];
