// Lists planted bugs in payouts over several rails, and in the code that handles rails with contradictory responses.
import { type Bug, within } from '../patch.ts';

const IN_FAIL_OVER = { beside: 'failOver' } as const;
const IN_OUTCOME = { beside: 'decideOutcome' } as const;

export const RAIL_BUGS: readonly Bug[] = [
  {
    name: 'failover_on_unknown',
    what: 'A payout whose outcome is unknown goes to another rail.',
    patches: [
      within('decideUnclear', IN_OUTCOME).exchange(
        "return { kind: 'unknown', memory: before, reason };",
        "return { kind: 'unpaid', proof: 'not_sent', fault: 'rail', reason };",
      ),
    ],
  },
  {
    name: 'failover_when_repeated',
    what: 'A payout that an earlier process may have sent goes to another rail, because it could not be sent again.',
    from: 2001,
    seeds: 400,
    patches: [within('decideOutcome').exchange("call.called === 'ordered_first'", "call.called !== 'asked'")],
  },
  {
    name: 'failover_on_not_found',
    what: 'A payout that its rail does not know yet goes to another rail.',
    patches: [
      within('decideNotFound', IN_OUTCOME).exchange(
        "return { kind: 'unknown', memory, reason: REFERENCE_UNKNOWN };",
        "return { kind: 'unpaid', proof: 'not_sent', fault: 'rail', reason: REFERENCE_UNKNOWN };",
      ),
    ],
  },
  {
    name: 'repeated_to_any_rail',
    what: 'A rail that does not promise to pay a reference once gets an order a second time.',
    patches: [within('decideNotFound', IN_OUTCOME).exchange("terms.repeats === 'paid_once'", 'true')],
  },
  {
    name: 'recorded_unpaid_keeps_reserve',
    what: 'The naira of a payout that two people record as not paid stay reserved.',
    patches: [within('recordUnpaid').exchange('releaseEntries(movement, 0n)', '[]')],
  },
  {
    name: 'failover_keeps_old_reserve',
    what: 'The naira of a payout that goes to another rail stay reserved in the first account.',
    patches: [within('openNextAttempt').drop('...releaseEntries(movement, 0n),')],
  },
  {
    name: 'failover_reserves_in_old_account',
    what: 'The naira of a payout that goes to another rail are reserved in the account of the first.',
    patches: [
      within('openNextAttempt').exchange(
        "stepEntries(move.after, 'reserve')",
        "stepEntries(movement, 'reserve')",
      ),
    ],
  },
  {
    name: 'failover_keeps_old_account',
    what: 'A payout that goes to another rail is still named under the account of the first.',
    patches: [within('openNextAttempt').drop('bankAccount: payoutAccountOf(rail),')],
  },
  {
    name: 'refused_by_rail_stays_reserved',
    what: 'A payout that every rail refused waits with its naira reserved.',
    seeds: 400,
    patches: [within('waitForAnotherRail', IN_FAIL_OVER).exchange('releaseEntries(movement, 0n)', '[]')],
  },
  {
    name: 'poor_rail_undoes_payout',
    what: 'A payout that a rail refused by its own fault is undone, and the tokens go back.',
    patches: [within('decideUnpaid').exchange("fault === 'rail'", 'false')],
  },
  {
    name: 'refused_reference_used_again',
    what: 'A rail that refused a payout gets it again under the reference that it refused.',
    seeds: 400,
    patches: [
      within('bankAttempt').exchange(
        'tried.includes(rail) ? repeatedReference(id, no) : bankReference(id)',
        'bankReference(id)',
      ),
    ],
  },
  {
    name: 'paused_rail_is_chosen',
    what: 'A rail that is paused gets new payouts.',
    patches: [
      within('openRailChooser').exchange(
        'pauses.some((pause) => pause.mode === mode && pause.rail === rail)',
        'false',
      ),
    ],
  },
  {
    name: 'pause_of_the_other_mode',
    what: 'A pause of a rail in one mode stops its payouts in the other.',
    patches: [within('openRailChooser').drop('pause.mode === mode &&')],
  },
  {
    name: 'cap_not_counted',
    what: 'A payout does not count against the cap of its rail.',
    patches: [within('openRailChooser').exchange('[capUsage(cap, amountMinor, atMs)]', '[]')],
  },
  {
    name: 'cap_not_counted_on_failover',
    what: 'A payout that goes to another rail does not count against the cap of that rail.',
    seeds: 400,
    patches: [within('openNextAttempt').drop('usage,')],
  },
  {
    name: 'rail_resumed_at_once',
    what: 'A rail that was paused as sick is resumed by the first probe that it answers.',
    patches: [
      within('judgePausedRail').exchange(
        'probed.goodProbes >= PROBES_IN_ROW && atMs - pausedAtMs >= pauseMs(probed.pauses)',
        'probed.goodProbes >= 1',
      ),
    ],
  },
  {
    name: 'unknown_payouts_are_healthy',
    from: 1001,
    what: 'A rail that answers about none of its payouts is not paused.',
    patches: [
      within('findHealthProblem').exchange('(failed + unknown) * 2 > attempts', 'failed * 2 > attempts'),
    ],
  },
  {
    name: 'late_payout_is_no_news',
    what: 'A payout that its rail had called failed, and made later, is not reported.',
    patches: [within('noticeKindFor').exchange("!paid || said === 'returned'", "said === 'returned'")],
  },
  {
    name: 'return_is_no_news',
    what: 'A rail that is asked again and says that a payout came back is not heard.',
    patches: [within('noticeKindFor').exchange("paid ? 'payout_returned' : null", 'null')],
  },
  {
    name: 'failed_payout_not_asked_again',
    what: 'A rail is not asked again about a payout that it called failed.',
    patches: [
      within('hasFinalAnswer').exchange("(state === 'landed' || state === 'failed')", "state === 'landed'"),
    ],
  },
  {
    name: 'late_payout_from_last_account',
    what: 'A payout that the first rail made late is booked on the account of the rail that made it in time.',
    seeds: 400,
    patches: [
      within('handleLatePayout').exchange(
        'account && accountDetail(account.bankCode, account.number)',
        'movement.bankAccount',
      ),
    ],
  },
  {
    name: 'return_into_another_account',
    what: 'A payout that came back is booked into the account that has no name.',
    patches: [
      within('bookReturnedPayout').exchange(
        'payoutAccount, amounts: { amount: notice.amountMinor }',
        'payoutAccount: null, amounts: { amount: notice.amountMinor }',
      ),
    ],
  },
  {
    name: 'charge_from_another_account',
    what: 'What a bank charged is booked on the account that has no name.',
    patches: [
      within('chargeEntries').exchange('bankAccount: payoutAccount', 'bankAccount'),
      within('chargeEntries').before('const parts', 'const payoutAccount = null;'),
    ],
  },
  {
    name: 'return_is_a_refusal',
    what: 'A payout that came back before its outcome was known counts as refused.',
    seeds: 400,
    patches: [
      within('settlePayout').before(
        'switch (decision.kind)',
        `if (status.kind === 'returned' && movement.kind === 'payout')
        return { change: await undoPayout(deps, alive, status.reason, atMs) };`,
      ),
    ],
  },
  {
    name: 'paid_again_without_closing_its_case',
    what: 'A payout that came back is paid again, and its case stays open.',
    patches: [
      within('makeReturnedPayoutDue').exchange('open.map(({ id }) => ({ id, outcome, closedBy }))', '[]'),
    ],
  },
  {
    name: 'counted_leaves_the_other_case',
    what: 'A late payout is counted, and the case of its return stays open.',
    seeds: 600,
    patches: [within('countLatePayout').exchange('[found.id, returned!.id]', '[found.id]')],
  },
];
