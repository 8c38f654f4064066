// The sources of rates on the command line: the health of each, and the age of its numbers.
import { type ShownSource, showSources } from '../../../app/rates/show-sources.ts';
import { RATE_PRODUCTS } from '../../../domain/rates/rates.ts';
import { MODES } from '../../../domain/values/mode.ts';
import { renderSource } from '../../../renderings/rates.ts';
import type { DescribedFoundation } from '../../../wire/foundation.ts';
import { type Command, defineCommand, isoTimeText, printTable } from '../../command.ts';
import { agoText, durationText } from './words.ts';

export const sourcesCommand: Command = defineCommand({
  name: 'rates sources',
  summary: 'List the rate sources: kind, health, age of their numbers and last failure.',
  run: (terminal) =>
    terminal.withFoundation(async (foundation) => {
      const sources = await showSources(foundation);
      const nowMs = foundation.clock.now();
      if (sources.length > 0)
        printTable(terminal, [
          ['SOURCE', 'KIND', 'HEALTH', 'NUMBERS', 'LIMIT', 'CIRCUIT', 'NEXT READ', 'LAST FAILURE'],
          ...sources.map((source) => rowOf(source, nowMs)),
        ]);
      else
        terminal.print(
          'No external source is configured: each product is priced only by the desk. To add a source: docs/operate/rates.md',
        );
      terminal.print('The desk is also a source. Its prices: bin/sliproad rates book');
      return { sources: sources.map((source) => renderSource(source, productsOf(foundation, source.name))) };
    }),
});

/** The products that use the source in either mode. */
function productsOf({ ratePlan }: Pick<DescribedFoundation, 'ratePlan'>, source: string) {
  return RATE_PRODUCTS.filter((product) =>
    MODES.some((mode) => ratePlan.planOf(mode, product).sources.includes(source)),
  );
}

function rowOf({ name, kind, health, state, newestAtMs, ageLimitMs }: ShownSource, nowMs: number): string[] {
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
