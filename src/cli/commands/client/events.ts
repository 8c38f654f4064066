// `events tail`: shows the events of the business as they happen, one per line. The events start now or at a position in the
// past.
import { defineClientCommand, timeOption } from '../../client/client-command.ts';
import { followEvents, makeStateNotes, readNewestCursor, typesOption } from '../../client/follow.ts';
import { asJson, eventLine } from '../../client/show.ts';
import { type Command, STREAMED_ANSWER } from '../../command.ts';

const tailCommand = defineClientCommand({
  name: 'events tail',
  summary:
    'Print events as they happen, one per line, until Ctrl-C. Reconnects automatically and misses none.',
  options: {
    type: {
      value: 'TYPES',
      about: 'only these types, for example transaction.completed or transaction.*,refund.*',
    },
    since: { value: 'EVENT|TIME', about: 'start after this event, or at this time' },
  },
  run: async (terminal, { client, baseUrl }, { options }) => {
    const types = typesOption(options.type);
    const signal = terminal.interrupted;
    const show = (event: Parameters<typeof eventLine>[0]) => {
      terminal.print(eventLine(event, terminal));
      terminal.emit(asJson(event));
    };
    const isEvent = options.since?.startsWith('evt_');
    const from = options.since === undefined || isEvent ? undefined : timeOption(options.since, '--since');
    // The newest position is read before the list of events. An event that happens in between is therefore either in the list
    // or after the position.
    let place = isEvent ? options.since! : await readNewestCursor(client, signal);
    if (from !== undefined) {
      for await (const event of client.events.list({ type: types, from, limit: 100 }, { signal })) {
        show(event);
        place = event.id;
      }
    }
    const onState = makeStateNotes(terminal.note, { connected: 'Connected. Waiting for events …' });
    for await (const event of followEvents(place, { client, baseUrl, types, signal, onState })) show(event);
    return STREAMED_ANSWER;
  },
});

export const eventCommands: readonly Command[] = [tailCommand];
