// The sources of rates on the command line: whether each answers, and how old its numbers are.
import { type ShownSource, showSources } from '../../../app/rates/show-sources.ts';
import { type Command, command, iso, printTable } from '../../command.ts';
import type { Json } from '../../terminal/json.ts';
import { agoText, durationText, rateText } from './words.ts';

export const sourcesCommand: Command = command({
  name: 'rates sources',
  summary: 'List the sources of rates: kind, health, age of their numbers and the last failure.',
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
          'No outside source is configured: every product is priced from the desk alone. To add one: docs/adding-a-rate-source.md',
        );
      terminal.print('The desk is a source too. Its prices: bin/sliproad rates book');
      return sources.map((source) => jsonOf(source, nowMs));
    }),
});

function rowOf({ name, kind, health, state, newestAtMs, ageLimitMs }: ShownSource, nowMs: number): string[] {
  const failure = state?.lastFailure ?? null;
  const failedAtMs = state?.lastFailureAtMs ?? null;
  return [
    ...[name, kind, health],
    newestAtMs === null ? 'none' : agoText(newestAtMs, nowMs),
    durationText(ageLimitMs),
    isOpen(state, nowMs) ? `open until ${iso(state!.openUntilMs!)}` : 'closed',
    state === null ? '-' : iso(state.nextReadAtMs),
    failure === null || failedAtMs === null ? '-' : `${iso(failedAtMs)} ${failure.code}: ${failure.message}`,
  ];
}

function jsonOf({ name, kind, health, state, ...source }: ShownSource, nowMs: number): Json {
  const time = (atMs: number | null | undefined) => (atMs == null ? null : iso(atMs));
  return {
    ...{ name, kind, health, every_ms: source.everyMs, age_limit_ms: source.ageLimitMs },
    numbers_as_of: time(source.newestAtMs),
    last_read_at: time(state?.lastReadAtMs),
    next_read_at: time(state?.nextReadAtMs),
    circuit: isOpen(state, nowMs) ? 'open' : 'closed',
    circuit_open_until: isOpen(state, nowMs) ? time(state?.openUntilMs) : null,
    failures: state?.failures ?? 0,
    last_failure:
      state?.lastFailure == null ? null : { ...state.lastFailure, at: time(state.lastFailureAtMs) },
    rates: (state?.rates ?? []).map(({ currency, valueE4, asOfMs }) => ({
      ...{ currency, value: rateText(valueE4), as_of: iso(asOfMs) },
    })),
  };
}

function isOpen(state: ShownSource['state'], nowMs: number): boolean {
  return state !== null && state.openUntilMs !== null && state.openUntilMs > nowMs;
}
