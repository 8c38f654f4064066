// Commands about events of rails: they show the outcomes of the events. An event that the rail never confirmed can be retried
// or closed.
import { closeRailEvent, retryRailEvent } from '../../../app/rails/decide-rail-event.ts';
import { RAIL_EVENT_STATES } from '../../../ports/rails/rail-event-store.ts';
import { type Command, defineCommand, isoTimeText, MODE, printTable } from '../../command.ts';
import { UsageError } from '../../terminal/command-error.ts';
import { toJson } from '../../terminal/json.ts';
import { valueOrThrow } from '../decision-words.ts';

const LIMIT = '50';
const MOST = 1_000;

const listCommand = defineCommand({
  name: 'rails events',
  summary:
    'List the events that rails sent, newest first, with their outcome. Events in review wait for a person.',
  options: {
    mode: MODE,
    rail: { value: 'NAME', about: 'only this rail' },
    state: { choices: RAIL_EVENT_STATES, about: 'only in this state' },
    limit: { value: 'NUMBER', about: `maximum number of results, up to ${MOST} (default: ${LIMIT})` },
  },
  run: (terminal, { options }) =>
    terminal.withFoundation(async ({ eventDesk }) => {
      const { mode, rail, state } = options;
      const events = await eventDesk.list({ mode, rail, state, limit: limitOption(options.limit ?? LIMIT) });
      if (events.length === 0) terminal.print('No matching events.');
      else
        printTable(terminal, [
          ['EVENT', 'MODE', 'RAIL', 'RECEIVED', 'TYPE', 'ABOUT', 'STATE', 'ASKED', 'WHY'],
          ...events.map((each) => [
            ...[each.id, each.mode, each.rail, isoTimeText(each.receivedAtMs), each.type, each.about ?? '-'],
            ...[each.state, String(each.looks), each.outcome ?? '-'],
          ]),
        ]);
      return toJson(events);
    }),
});

const retryCommand = defineCommand({
  name: 'rails events try-again',
  words: ['EVENT_ID'],
  summary:
    "Ask the rail about an event in review as if it were new. Only the rail's answer can credit money.",
  run: (terminal, { words: [id] }) =>
    terminal.withFoundation(async (foundation) => {
      const event = valueOrThrow(await retryRailEvent(foundation, id));
      terminal.print(
        `${id}: the rail ${event.rail} will be asked again. To see the outcome: bin/sliproad rails events`,
      );
      return toJson(event);
    }),
});

const closeCommand = defineCommand({
  name: 'rails events close',
  words: ['EVENT_ID'],
  summary:
    'Close an event in review without a credit. The reason is kept with the event and in the audit log.',
  options: { reason: { value: 'TEXT', needed: true, about: 'the reason' } },
  run: (terminal, { words: [id], options: { reason } }) =>
    terminal.withFoundation(async (foundation) => {
      const event = valueOrThrow(await closeRailEvent(foundation, id, reason));
      terminal.print(`${id} is closed.`);
      return toJson(event);
    }),
});

export const eventCommands: readonly Command[] = [listCommand, retryCommand, closeCommand];

function limitOption(value: string): number {
  const limit = /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (limit >= 1 && limit <= MOST) return limit;
  throw new UsageError(`--limit must be a number from 1 to ${MOST}.`);
}
