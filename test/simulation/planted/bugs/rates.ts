// Lists planted bugs in rates and quotes: which rates the service uses, how much one source can change them, how long a rate is
// valid, and what a quote fixes.
import { type Bug, within } from '../patch.ts';

export const RATE_BUGS: readonly Bug[] = [
  {
    name: 'stale_number_used',
    what: 'A number is used although its age limit has passed.',
    patches: [within('screenNumber').exchange('nowMs >= number.endMs', 'number.endMs < 0')],
  },
  {
    name: 'number_of_tomorrow_used',
    what: 'A number is used although it is dated far ahead.',
    patches: [within('screenNumber').exchange('number.asOfMs > nowMs + MAX_AHEAD_MS', 'number.asOfMs < 0')],
  },
  {
    name: 'ended_rate_quoted',
    what: 'A value is quoted although it has ended and no new one was decided.',
    patches: [within('servedRate').exchange('atMs >= value.validUntilMs', 'value.validUntilMs < 0')],
  },
  {
    name: 'value_outlives_its_sources',
    what: 'A value holds as long as its latest source, not as long as the minimum of them.',
    patches: [within('findEndOfMinimum').exchange('counted >= minimum', 'counted >= 1')],
  },
  {
    name: 'minimum_of_sources_ignored',
    what: 'Fewer sources than the minimum are enough for a value.',
    patches: [
      within('decideByAgreement').exchange('sumWeights(used) < question.minimum', 'false'),
      within('decideByAgreement').exchange(
        'findEndOfMinimum(used, question.minimum)',
        'findEndOfMinimum(used, Math.min(question.minimum, sumWeights(used)))',
      ),
    ],
  },
  {
    name: 'no_majority_needed',
    what: 'Of two sources that disagree by far, both are used.',
    patches: [within('farthestOutliers').exchange('far * 50n <= doubledMedian', 'far * 2n <= doubledMedian')],
  },
  {
    name: 'lone_source_jumps',
    what: 'One source alone moves a price as far as it likes.',
    patches: [within('isBackedBy').exchange('>= 2', '>= 1')],
  },
  {
    name: 'crossed_number_confirms',
    what: 'A number that is crossed with the only source that lists a currency counts as a second witness for it.',
    patches: [within('isBackedBy').exchange('used.filter(({ crossed }) => !crossed)', 'used')],
  },
  {
    name: 'small_steps_add_up',
    what: 'One source alone moves a price by 5 % again and again.',
    seeds: 600,
    patches: [within('explainTooFarFrom').exchange('isInWindow(last.anchor, nowMs)', 'false')],
  },
  {
    name: 'devaluation_keeps_a_currency_out',
    what: 'The move of the dollar does not carry a currency that one source lists.',
    patches: [
      within('isNearBase', { beside: 'explainTooFar' }).exchange(
        'carryWithDollar(base, dollarE4)',
        'base.valueE4',
      ),
    ],
  },
  {
    name: 'circuit_never_closes',
    what: 'A source that has failed three times is left alone for good.',
    patches: [
      within('circuitOpenForMs').exchange('Math.min(LONGEST_OPEN_MS,', 'Math.max(10_000 * LONGEST_OPEN_MS,'),
    ],
  },
  {
    name: 'repeated_number_not_stored',
    what: 'A number that a source repeats does not make the value last longer.',
    patches: [within('lastsLongEnough').exchange('* 2 >=', '* 0 <=')],
  },
  {
    name: 'spread_forgotten',
    what: 'A quote is made at the value without its spread.',
    patches: [within('priceQuote').exchange('rate.value.rateE4', 'rate.value.valueE4')],
  },
  {
    name: 'quote_rounded_down',
    what: 'The naira amount of a quote is rounded down.',
    patches: [within('convertToNaira').drop('+ 9_999n')],
  },
  {
    name: 'fee_of_the_day_on_a_quote',
    what: 'A transaction on a quote has the fee of the moment it was accepted.',
    patches: [within('quotedOrCurrentFee').exchange('quote === null', 'atMs > 0')],
  },
  {
    name: 'quote_for_another_amount',
    what: 'A quote is used for another amount than it was made for.',
    patches: [
      within('findQuoteMismatches').exchange('amountMinor !== quote.nairaMinor', 'amountMinor === 0n'),
    ],
  },
  {
    name: 'quote_for_another_network',
    what: 'A quote for one network is used on another.',
    patches: [within('findQuoteMismatches').exchange('network !== quote.network', "network === ''")],
  },
  {
    name: 'expired_quote_used',
    what: 'A quote is used after it has expired.',
    patches: [
      within('insert', { folder: 'simulation/model' }).exchange('quote.expiresAtMs > nowMs', 'nowMs > 0'),
    ],
  },
  {
    name: 'quote_used_twice',
    what: 'Two requests at the same time use one quote.',
    patches: [
      within('insert', { folder: 'simulation/model' }).exchange(
        'quote?.transactionId === null &&',
        'quote !== undefined &&',
      ),
    ],
  },
  {
    name: 'exposure_unlimited',
    what: 'Open quotes of a business exceed their limit.',
    patches: [
      within('add', { beside: 'quoteCore' }).exchange('> limits.maxOpenMinor', '< limits.maxOpenMinor * 0n'),
      within('add', { beside: 'quoteCore' }).exchange('openQuotes >= limits.maxOpenQuotes', 'false'),
    ],
  },
];
