// `listen`: forwards the events of the business to a URL on this machine, and signs them in the same way as webhooks. It saves
// its position in a file, so that no event is lost after a broken connection or a restart.
import { randomBytes } from 'node:crypto';
import { SliproadApiError, type SliproadEvent } from '../../../../sdk/src/index.ts';
import { signerOf } from '../../../../sdk/src/webhooks/keys.ts';
import { defineClientCommand } from '../../client/client-command.ts';
import { followEvents, makeStateNotes, readNewestCursor, typesOption } from '../../client/follow.ts';
import { makeForwarder } from '../../client/listen/forwarder.ts';
import { type ListenPosition, openPosition, positionFileOf } from '../../client/listen/position-file.ts';
import { sendToTarget, type TargetOutcome } from '../../client/listen/target.ts';
import { type ConnectedService, readTextFile } from '../../client/service.ts';
import { timeText, transactionOf } from '../../client/show.ts';
import { STREAMED_ANSWER, type Terminal } from '../../command.ts';
import { CommandError, UsageError } from '../../terminal/command-error.ts';

export const listenCommand = defineClientCommand({
  name: 'listen',
  summary:
    'Forward events to a URL on this machine, signed like webhooks, until Ctrl-C. A restart continues where it stopped.',
  options: {
    'forward-to': {
      value: 'URL',
      needed: true,
      about: 'URL that receives the events, for example localhost:3000/webhooks',
    },
    events: {
      value: 'TYPES',
      about: 'only these types, for example transaction.completed or transaction.*,refund.*',
    },
    'secret-file': {
      value: 'FILE',
      about: 'file with the whsec_… signing secret (default: a new secret)',
    },
    since: {
      value: 'EVENT|now',
      about: 'ignore the saved position: start after this event, or with the next one',
    },
    'position-file': { value: 'FILE', about: 'file that stores the position' },
  },
  run: async (terminal, service, { options }) => {
    const target = urlOf(options['forward-to']);
    const types = typesOption(options.events);
    const secret = secretOf(options['secret-file']);
    const signer = await signerOf(secret);
    const file = options['position-file'] ?? defaultFile(terminal, service, target, types);
    const position = openPosition(file);
    const place = await placeToBegin(service, position, options.since, terminal.interrupted);
    terminal.print(`Forwarding to ${target}. The position is saved in ${file}`);
    if (options['secret-file'] === undefined)
      terminal.print(`Signing secret, valid for this session only: ${secret}`);
    terminal.emit({ type: 'listening', forward_to: target, secret, position_file: file, after: place });
    const failed = new AbortController();
    const signal = AbortSignal.any([terminal.interrupted, failed.signal]);
    const say = makeOutcomeLines(terminal, () => forwarder.waiting);
    const forwarder = makeForwarder({
      signal,
      send: (event) => sendToTarget(target, signer, event),
      onOutcome: (event, outcome, attempt) => {
        say(event, outcome, attempt);
        if (!attempt.last) return;
        try {
          position.finish(event.id);
        } catch (error) {
          failed.abort(error); // without a saved position, a restart would repeat or lose events
        }
      },
    });
    const onState = makeStateNotes(terminal.note, { connected: 'Connected. Waiting for events …' });
    const { client, baseUrl } = service;
    try {
      for await (const event of followEvents(place, { client, baseUrl, types, signal, onState }))
        if (position.take(event.id)) await forwarder.push(event);
    } catch (error) {
      failed.abort(error); // queued events are forwarded after the next start
      await forwarder.settled();
      throw explainPositionError(error, file);
    }
    await forwarder.settled();
    if (failed.signal.aborted) throw new CommandError(`${file}: ${(failed.signal.reason as Error).message}`);
    return STREAMED_ANSWER;
  },
});

function explainPositionError(error: unknown, file: string): unknown {
  if (!(error instanceof SliproadApiError) || error.code !== 'cursor_invalid') return error;
  return new CommandError(
    `The service does not know the position in ${file}. To start with the next event: --since now. (${error.message})`,
    'conflict',
  );
}

function urlOf(text: string): string {
  const whole = /^https?:\/\//.test(text) ? text : `http://${text}`;
  const isWeb = whole === text || !text.includes('://');
  if (isWeb && URL.canParse(whole) && !/^[a-z]+:\/\/\d+$/.test(whole)) return new URL(whole).href;
  throw new UsageError('--forward-to must be an address such as http://localhost:3000/webhooks.');
}

const SECRET_BYTES = 32;

function secretOf(file: string | undefined): string {
  if (file === undefined) return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  return readTextFile(file, '--secret-file').trim();
}

function defaultFile(
  { config }: Terminal,
  { baseUrl, mode, businessId, secretKey, isSandbox }: ConnectedService,
  target: string,
  types: readonly string[] | undefined,
): string {
  const identity = { baseUrl, mode, owner: businessId ?? secretKey, target, types };
  return positionFileOf(identity, isSandbox ? config.dataDir : undefined);
}

async function placeToBegin(
  { client }: ConnectedService,
  position: ListenPosition,
  since: string | undefined,
  signal: AbortSignal,
): Promise<string | null> {
  if (since === undefined && position.place !== undefined) return position.place;
  if (since !== undefined && since !== 'now' && !since.startsWith('evt_'))
    throw new UsageError('--since must be the id of an event, evt_…, or the word now.');
  const place = since === undefined || since === 'now' ? await readNewestCursor(client, signal) : since;
  // The position is saved before the first event, so that a restart loses no event.
  position.begin(place);
  return place;
}

/**
 * Prints one line for each response of the target, one when the target becomes unreachable, and one when it is reachable again.
 */
function makeOutcomeLines(terminal: Terminal, waiting: () => number) {
  let away = false;
  const paint = terminal.paint ?? ((_style, text) => text);
  return (
    event: SliproadEvent,
    outcome: TargetOutcome,
    { no, last }: { readonly no: number; readonly last: boolean },
  ) => {
    const about = { event_id: event.id, event_type: event.type, attempt: no };
    if (outcome.kind === 'away') {
      terminal.emit({ type: 'target_away', ...about, reason: outcome.reason, waiting: waiting() });
      if (!away)
        terminal.note(
          `The target is unreachable (${outcome.reason}). Retrying; ${waiting()} events are queued.`,
        );
      away = true;
      return;
    }
    if (away) terminal.note('The target is back.');
    away = false;
    const { status, durationMs } = outcome;
    const delivered = outcome.kind === 'delivered';
    terminal.emit({
      type: delivered ? 'forwarded' : 'refused',
      ...about,
      status,
      duration_ms: durationMs,
      last,
    });
    const id = transactionOf(event)?.transaction_id ?? '';
    const rest = delivered ? '' : last ? '  giving up' : '  retrying';
    const shown = paint(delivered ? 'green' : 'red', `[${status}]`);
    terminal.print(
      `${timeText(event.timestamp)}  ${shown} ${durationMs} ms  ${event.type}  ${id}  ${event.id}${rest}`,
    );
  };
}
