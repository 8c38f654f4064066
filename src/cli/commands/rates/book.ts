// The book on the command line: the quoted rates, their sources, and the rejected numbers with reasons.
import { type ShownBook, type ShownValue, showBook } from '../../../app/rates/show-book.ts';
import type { UnservedReason } from '../../../domain/rates/board.ts';
import type { RateCandidate } from '../../../domain/rates/rate-decision.ts';
import { RATE_PRODUCTS } from '../../../domain/rates/rates.ts';
import { STANDARD_TIER } from '../../../domain/rates/spread.ts';
import { MODES } from '../../../domain/values/mode.ts';
import { renderBook } from '../../../renderings/rates.ts';
import { type Command, defineCommand, isoTimeText, MODE, printTable, type Terminal } from '../../command.ts';
import { agoText, PRODUCT, rateText } from './words.ts';

export const bookCommand: Command = defineCommand({
  name: 'rates book',
  summary:
    'Show the quoted rates: value, spread, expiry and sources of each currency, and the rejected numbers.',
  options: {
    mode: MODE,
    product: PRODUCT,
    tier: { value: 'NAME', about: `tier of the business (default: ${STANDARD_TIER})` },
  },
  run: (terminal, { options }) =>
    terminal.withFoundation(async (foundation) => {
      const books: ReturnType<typeof renderBook>[] = [];
      const tier = options.tier ?? STANDARD_TIER;
      for (const mode of options.mode === undefined ? MODES : [options.mode])
        for (const product of options.product === undefined ? RATE_PRODUCTS : [options.product]) {
          const book = await showBook(foundation, { mode, product, tier });
          printBook(terminal, book, foundation.clock.now());
          const standard = await showBook(foundation, { mode, product, tier: STANDARD_TIER });
          books.push(renderBook(tier === STANDARD_TIER ? [standard] : [standard, book]));
        }
      return { books };
    }),
});

const WHY: Readonly<Record<UnservedReason, string>> = {
  never_decided: 'no decision yet',
  no_source: 'no source quotes it',
  too_few_sources: 'too few sources',
  jump_unconfirmed: 'a jump that no second source confirms',
  expired: 'expired',
  no_spread: 'no spread is set: bin/sliproad rates spread set --help',
};

function printBook(terminal: Terminal, book: ShownBook, nowMs: number): void {
  const { mode, product, tier, plan, decision, values } = book;
  const from = `${plan.sources.join(', ')} (at least ${plan.minimum})`;
  const decided = decision === null ? 'not decided yet' : `${decision.id} of ${isoTimeText(decision.atMs)}`;
  terminal.print(`${mode} ${product}, tier ${tier}: ${decided}; priced from ${from}`);
  printTable(terminal, [
    ['CODE', 'VALUE', 'SPREAD', 'QUOTED', 'VALID UNTIL', 'SOURCES'],
    ...values.map((value) => rowOf(value, nowMs)),
  ]);
  for (const { currency, candidates } of values)
    for (const each of candidates.filter(({ verdict }) => verdict !== 'used'))
      terminal.print(`${currency}: rejected: ${numberText(each, nowMs)}: ${each.verdict}, ${each.why}`);
  terminal.print('');
}

function rowOf(value: ShownValue, nowMs: number): string[] {
  const { currency, valueE4, spreadBps, quotedE4, validUntilMs, notServed, candidates } = value;
  const used = candidates.filter(({ verdict }) => verdict === 'used');
  const end = validUntilMs === null ? 'no expiry (sample)' : isoTimeText(validUntilMs);
  return [
    ...[currency, valueE4 === null ? '-' : rateText(valueE4), spreadBps === null ? '-' : String(spreadBps)],
    quotedE4 === null ? '-' : rateText(quotedE4),
    valueE4 === null ? '-' : end,
    notServed === null
      ? used.map((each) => numberText(each, nowMs)).join(', ')
      : `not served: ${WHY[notServed]}`,
  ];
}

function numberText({ source, valueE4, asOfMs, crossed }: RateCandidate, nowMs: number): string {
  return `${source} ${rateText(valueE4)}${crossed ? ' through USD' : ''} (${agoText(asOfMs, nowMs)})`;
}
