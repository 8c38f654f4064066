// Receives an event from a rail. It only counts an event whose origin is not proven. It stores a proven event before it
// acknowledges the event. If the service could not store it, the rail sends it again. The event has no effect yet (see
// app/settlement/process-rail-events.ts).
import { ID_RANDOM_BYTES, makeId } from '../../domain/values/ids.ts';
import { MODES } from '../../domain/values/mode.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type { Rail, RailRegistry } from '../../ports/rails/rail.ts';
import type { NewRailEvent, RailEventQueue } from '../../ports/rails/rail-event-store.ts';
import type {
  RailEventReceipt,
  RailEvents,
  RailEventTopic,
  RailMessage,
} from '../../ports/rails/rail-events.ts';
import type { RailKey } from '../../ports/rails/rail-store.ts';

export interface ReceiveRailEventDeps {
  readonly banks: RailRegistry;
  readonly railEvents: Pick<RailEventQueue, 'store'>;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly digest: (bytes: Uint8Array) => string;
  readonly onReceived: (of: RailKey, taken: RailEventReceipt) => void;
  readonly onForged: (detail: { readonly place: string; readonly address: string }) => void;
}

export type ReceiveOutcome = { readonly kind: 'forged' } | { readonly kind: 'taken'; readonly body: unknown };

interface EventSender extends RailKey {
  readonly events: RailEvents;
}

/** A webhook often arrives before the response to the service's own order. After a short delay, the rail can report more. */
const PAYOUT_AFTER_MS = 2_000;
const LONGEST_TYPE = 100;

export function listEventPlaces(banks: RailRegistry): ReadonlySet<string> {
  return new Set(listEventSenders(banks).flatMap(({ events }) => events.places));
}

export function listEventSenders(banks: RailRegistry): readonly EventSender[] {
  const sends = (rail: Rail): rail is Rail & { events: RailEvents } => rail.events !== undefined;
  return MODES.flatMap((mode) =>
    banks
      .enabled(mode)
      .filter(sends)
      .map(({ name: rail, events }) => ({ mode, rail, events })),
  );
}

export async function receiveRailEvent(
  deps: ReceiveRailEventDeps,
  place: string,
  message: RailMessage,
): Promise<ReceiveOutcome> {
  const sender = listEventSenders(deps.banks).find(
    ({ events }) => events.places.includes(place) && events.isProven(message),
  );
  if (sender === undefined) {
    deps.onForged({ place, address: message.address });
    return { kind: 'forged' };
  }
  const { mode, rail, events } = sender;
  const topic = events.read(message.body);
  const outcome = await deps.railEvents.store(makeRailEvent(deps, { mode, rail }, message.body, topic));
  const taken: RailEventReceipt = topic.kind === 'other' ? 'rejected' : outcome;
  deps.onReceived({ mode, rail }, taken);
  return { kind: 'taken', body: events.answer(message.body, taken) };
}

function makeRailEvent(
  { clock, entropy, digest }: ReceiveRailEventDeps,
  { mode, rail }: RailKey,
  body: Uint8Array,
  topic: RailEventTopic,
): NewRailEvent {
  const atMs = clock.now();
  const isOpen = topic.kind !== 'other';
  const dueAtMs = topic.kind === 'payout' ? atMs + PAYOUT_AFTER_MS : atMs;
  return {
    ...{ id: makeId('rev', atMs, entropy.bytes(ID_RANDOM_BYTES)), mode, rail, digest: digest(body) },
    // PostgreSQL cannot store the null character, so the service replaces it.
    body: new TextDecoder().decode(body).replaceAll('\0', '\uFFFD'),
    ...{ type: topic.type.replaceAll('\0', '\uFFFD').slice(0, LONGEST_TYPE), topic: topic.kind },
    about: topic.kind === 'other' ? null : topic.about,
    isPaid: topic.kind === 'payout' ? topic.isPaid : null,
    receivedAtMs: atMs,
    state: isOpen ? 'open' : 'ignored',
    dueAtMs: isOpen ? dueAtMs : null,
  };
}
