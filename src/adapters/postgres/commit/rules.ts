// Which rule of the port a constraint of the schema keeps: the one place that knows both names.
import type { Rule } from '../../../ports/store/commit.ts';

const RULES: ReadonlyMap<string, Rule> = new Map([
  ['limit_usage_within', 'limit_exceeded'],
  ['accounts_not_negative', 'account_negative'],
  ['accounts_together_not_negative', 'condition_broken'],
  ['cases_one_return', 'returned_before'],
  ['bank_credits_source', 'other_source'],
  ['bank_credits_session', 'session_known'],
  ['bank_credits_reported', 'recorded_before'],
  ['credit_reports_credited', 'recorded_before'],
  ['bank_credits_counted_once', 'fits_credit'],
  ['credit_reports_one_each', 'linked_before'],
  ['proposal_decisions_pkey', 'decided_before'],
  ['two_people', 'same_person'],
  ['two_people_however_spelled', 'same_person'],
  ['decided_by_a_person', 'not_a_person'],
  ['decider_has_right', 'not_allowed'],
  ['proposer_has_right', 'proposer_not_allowed'],
  ['approved_with_step_up', 'step_up_needed'],
  ['own_step_up', 'step_up_needed'],
  ['fresh_step_up', 'step_up_old'],
  ['step_up_once', 'step_up_used'],
]);

export function ruleOf(constraint: string): Rule {
  return RULES.get(constraint) ?? 'other';
}
