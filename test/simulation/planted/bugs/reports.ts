// Lists planted bugs in the code that handles reports of several sources about one transfer.
import { type Bug, within } from '../patch.ts';

const decide = within('decideReport', { beside: 'linkReports' });

export const REPORT_BUGS: readonly Bug[] = [
  {
    name: 'session_again_is_dropped',
    what: 'A line whose session id is known is taken for stored, and is not kept as a report.',
    patches: [
      within('redraftRefused').exchange('draft: { ...draft, isKnown: true }', 'draft: { change: { atMs } }'),
    ],
  },
  {
    name: 'every_source_is_the_source',
    what: 'Lines of a source that gives no value are sent to the database as credits, and set aside when it refuses them.',
    patches: [
      within('buildChanges', { beside: 'recordLines' }).exchange(
        'rule.source === name',
        "rule.source !== ''",
      ),
    ],
  },
  {
    name: 'amounts_never_disagree',
    what: 'One session id with two amounts is one transfer, and no one looks at it.',
    patches: [
      within('findDisagreement').exchange(
        'report.amountMinor !== credit.amountMinor',
        'report.amountMinor <= 0n',
      ),
    ],
  },
  {
    name: 'payers_never_disagree',
    what: 'One session id with two payers is one transfer, and no one looks at it.',
    patches: [within('findDisagreement').exchange("isOtherPayer(report, credit) ? 'payer' : null", 'null')],
  },
  {
    name: 'credit_reported_again_and_again',
    what: 'A report is compared also with credits that its source has a report about.',
    patches: [
      within('mayBeSameTransfer').exchange(
        '!reportedBy.some((each) => each.source === report.source)',
        'reportedBy.length >= 0',
      ),
    ],
  },
  {
    name: 'place_is_not_given_up',
    seeds: 600,
    what: 'A report without a session id keeps the place of the one whose session id names the credit.',
    patches: [decide.exchange('await releaseReport(deps, report, decision.sourceId);', '')],
  },
  {
    name: 'masked_is_another',
    what: 'A number that the bank masked is another number.',
    patches: [
      within('comparePayerAccounts', { beside: 'linkReport' }).exchange(
        "link === 'suffix' ? 'equal' : link",
        "link === 'suffix' ? 'different' : link",
      ),
    ],
  },
  {
    name: 'left_over_is_forgotten',
    what: 'A report that fits no credit waits forever, and people never see it.',
    patches: [
      decide.exchange('deps.clock.now() < untilMs ? postponeReport', 'deps.clock.now() > 0 ? postponeReport'),
    ],
  },
  {
    name: 'any_payer_is_the_payer',
    what: 'Account, amount and day are enough, whoever paid.',
    patches: [
      within('mayBeSameTransfer').exchange('!isOtherPayer(report, credit)', 'credit.amountMinor > 0n'),
    ],
  },
  {
    name: 'counted_report_stays_open',
    what: 'A report that people counted is not marked as counted.',
    patches: [
      within('countReport').exchange(
        "makeMove(report, { state: 'counted', creditId: credit.id, dueAtMs: null })",
        'makeMove(report, { dueAtMs: null })',
      ),
    ],
  },
  {
    name: 'counted_report_is_not_posted',
    what: 'A report that people counted is a credit that the ledger does not have.',
    patches: [within('countReport').exchange("[entryOf('credit_received', facts)]", '[]')],
  },
];
