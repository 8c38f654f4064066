// Describes the sandbox scenarios for people: what happens in each scenario, and how the scenario ends under the default
// policies (docs/start/sandbox.md).
import type { EventType, TransactionState } from '../../../sdk/src/index.ts';
import type { Scenario } from '../../ports/sandbox.ts';

export interface ScenarioEnding {
  readonly state: TransactionState;
  readonly exception?: string;
  /** The event that ends the scenario. This event comes before or after the transaction reaches the state. */
  readonly event?: EventType;
}

export interface ScenarioWords {
  readonly about: string;
  /** How a buy or a sell ends in this scenario. Undefined: it ends as in the scenario `paid`. */
  readonly buy?: ScenarioEnding;
  readonly sell?: ScenarioEnding;
}

export const PAID_ENDING: ScenarioEnding = { state: 'completed' };
const PARTIAL: ScenarioEnding = { state: 'on_hold', exception: 'paid_partial' };
const OVER: ScenarioEnding = { state: 'completed', exception: 'paid_over', event: 'refund.completed' };
const LATE_SELL: ScenarioEnding = { state: 'refunded', exception: 'paid_late' };
const MISMATCH: ScenarioEnding = { state: 'on_hold', exception: 'name_mismatch' };

export const SCENARIO_WORDS: Readonly<Record<Scenario, ScenarioWords>> = {
  paid: {
    about: 'The exact payment arrives, or all the tokens arrive.',
    buy: PAID_ENDING,
    sell: PAID_ENDING,
  },
  underpaid: { about: '₦100.00 too little arrives.', buy: PARTIAL, sell: PARTIAL },
  overpaid: { about: '₦100.00 too much arrives; the excess is refunded.', buy: OVER, sell: OVER },
  late: {
    about: 'The transaction expires after one second; then the full amount arrives.',
    buy: { state: 'completed', exception: 'paid_late' },
    sell: LATE_SELL,
  },
  duplicate: {
    about: 'The bank or the network reports the payment twice. It counts once.',
    buy: PAID_ENDING,
    sell: PAID_ENDING,
  },
  name_mismatch: { about: "The payer's name differs from the name in the buy.", buy: MISMATCH },
  reversed: {
    about: 'The bank reverses the payment after the tokens were sent.',
    buy: { state: 'completed', exception: 'credit_reversed', event: 'transaction.payment_reversed' },
  },
  send_fails: { about: 'The network rejects the transfer three times, then accepts it.', buy: PAID_ENDING },
  send_unknown: { about: 'The network accepts the transfer, and its answer is lost.', buy: PAID_ENDING },
  send_dropped: { about: 'The network accepts the transfer, then drops it.', buy: PAID_ENDING },
  send_reorganised: {
    about: 'The transfer is included, removed by a chain reorganisation, and included again.',
    buy: PAID_ENDING,
  },
  no_trustline: {
    about: 'The Stellar wallet has no trustline at first; then it is added.',
    buy: PAID_ENDING,
  },
  payout_fails: {
    about: 'The bank permanently refuses the payout; the tokens are refunded.',
    sell: { state: 'refunded', exception: 'payout_failed' },
  },
  payout_unknown: { about: 'The bank pays, and its answer is lost.', sell: PAID_ENDING },
  payout_name_mismatch: { about: 'The bank reports a different account owner.', sell: MISMATCH },
  payout_returned: {
    about: 'The bank returns a completed payout; the sell waits for the operator.',
    sell: { state: 'on_hold', exception: 'payout_returned' },
  },
  deposit_short: { about: 'The tokens that arrive are worth ₦100.00 too little.', sell: PARTIAL },
  deposit_over: {
    about: 'The tokens that arrive are worth ₦100.00 too much; the excess is refunded.',
    sell: OVER,
  },
  deposit_split: { about: 'The tokens arrive in two halves.', sell: PAID_ENDING },
  deposit_late: { about: 'The sell expires after one second; then the tokens arrive.', sell: LATE_SELL },
};
