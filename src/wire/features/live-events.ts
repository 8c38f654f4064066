// The hub that reads the event log once for all streams of this process, those of keys and those of sessions, and the streams
// that are open.
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { BusinessEvent } from '../../domain/events/event.ts';
import type { Metrics } from '../../http/metrics.ts';
import { renderEvent } from '../../http/routes/render-event.ts';
import { makeEventHub } from '../../http/streams/event-hub.ts';
import { makeOpenStreams } from '../../http/streams/open-streams.ts';
import type { StreamDeps } from '../../http/streams/serve-stream.ts';
import { makeTurns } from '../../http/streams/turns.ts';
import type { Catalogue } from '../../ports/catalogue.ts';
import { StoreUnavailable } from '../../ports/store/unavailable.ts';
import type { Foundation } from '../foundation.ts';

/** A client and what is between it and the service know that the stream is alive. */
const HEARTBEAT_MS = 15_000;
/** Streams that read what they missed at the same time. */
const CATCHING_UP = 2;

export interface LiveEventParts extends Pick<Foundation, 'eventLog' | 'networks' | 'clock'> {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly catalogue: Catalogue;
}

export function makeLiveEvents(parts: LiveEventParts): StreamDeps {
  const { config, log, metrics, eventLog, networks, catalogue, clock } = parts;
  const onError = (error: Error) => {
    if (error instanceof StoreUnavailable) log.debug({ why: error.message }, 'events wait for the database');
    else log.error({ err: error }, 'events');
  };
  const renderChunk = (event: BusinessEvent): Buffer => {
    const data = JSON.stringify(renderEvent(event, networks));
    return Buffer.from(`id: ${event.id}\nevent: ${event.type}\ndata: ${data}\n\n`);
  };
  const countRead = metrics.counter('sliproad_events_read_total', 'Events read for open streams.');
  const hub = makeEventHub({ log: eventLog, render: renderChunk, onRead: countRead, onError });
  // A connection that is quiet for the write time limit is closed.
  const heartbeatMs = Math.min(HEARTBEAT_MS, config.writeTimeoutMs / 3);
  const streams = makeOpenStreams({ ...config, heartbeatMs }, { catalogue, clock });
  return { eventLog, hub, streams, renderChunk, onError, turns: makeTurns(CATCHING_UP) };
}
