// Rates on the command line: the health of the sources, the book with the rejected numbers, and the list of all commands.

import { type ShownBook, type ShownValue, showBook } from '../../../app/rates/show-book.ts';
import { type ShownSource, showSources } from '../../../app/rates/show-sources.ts';
import type { UnservedReason } from '../../../domain/rates/board.ts';
import type { RateCandidate } from '../../../domain/rates/rate-decision.ts';
import { RATE_PRODUCTS } from '../../../domain/rates/rates.ts';
import { STANDARD_TIER } from '../../../domain/rates/spread.ts';
import { MODES } from '../../../domain/values/mode.ts';
import { renderBook, renderSource } from '../../../renderings/rates.ts';
import type { DescribedFoundation } from '../../../wire/foundation.ts';
import { type Command, defineCommand, isoTimeText, MODE, printTable, type Terminal } from '../../command.ts';
import { historyCommand } from './history.ts';
import { setPricesCommand, withdrawPricesCommand } from './set-prices.ts';
import { spreadCommands } from './spread.ts';
import { agoText, durationText, PRODUCT, rateText } from './words.ts';

const sourcesCommand: Command = defineCommand({
  name: 'rates sources',
  summary: 'List the rate sources: kind, health, age of their numbers and last failure.',
  run: (terminal) =>
    terminal.withFoundation(async (foundation) => {
      const sources = await showSources(foundation);
      const nowMs = foundation.clock.now();
      if (sources.length > 0)
        printTable(terminal, [
          ['SOURCE', 'KIND', 'HEALTH', 'NUMBERS', 'LIMIT', 'CIRCUIT', 'NEXT READ', 'LAST FAILURE'],
          ...sources.map((source) => sourceRow(source, nowMs)),
        ]);
      else
        terminal.print(
          'No external source is configured: each product is priced only by the desk. To add a source: docs/operate/rates.md',
        );
      terminal.print('The desk is also a source. Its prices: bin/sliproad rates book');
      return { sources: sources.map((source) => renderSource(source, productsOf(foundation, source.name))) };
    }),
});

function productsOf({ ratePlan }: Pick<DescribedFoundation, 'ratePlan'>, source: string) {
  return RATE_PRODUCTS.filter((product) =>
    MODES.some((mode) => ratePlan.planOf(mode, product).sources.includes(source)),
  );
}

function sourceRow(
  { name, kind, health, state, newestAtMs, ageLimitMs }: ShownSource,
  nowMs: number,
): string[] {
  const failure = state?.lastFailure ?? null;
  const failedAtMs = state?.lastFailureAtMs ?? null;
  return [
    ...[name, kind, health],
    newestAtMs === null ? 'none' : agoText(newestAtMs, nowMs),
    durationText(ageLimitMs),
    isOpen(state, nowMs) ? `open until ${isoTimeText(state!.openUntilMs!)}` : 'closed',
    state === null ? '-' : isoTimeText(state.nextReadAtMs),
    failure === null || failedAtMs === null
      ? '-'
      : `${isoTimeText(failedAtMs)} ${failure.code}: ${failure.message}`,
  ];
}

function isOpen(state: ShownSource['state'], nowMs: number): boolean {
  return state !== null && state.openUntilMs !== null && state.openUntilMs > nowMs;
}

const bookCommand: Command = defineCommand({
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
    ...values.map((value) => bookRow(value, nowMs)),
  ]);
  for (const { currency, candidates } of values)
    for (const each of candidates.filter(({ verdict }) => verdict !== 'used'))
      terminal.print(`${currency}: rejected: ${numberText(each, nowMs)}: ${each.verdict}, ${each.why}`);
  terminal.print('');
}

function bookRow(value: ShownValue, nowMs: number): string[] {
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

export const rateCommands: readonly Command[] = [
  ...[sourcesCommand, bookCommand, historyCommand, setPricesCommand, withdrawPricesCommand],
  ...spreadCommands,
];
