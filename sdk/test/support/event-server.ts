// Simulates the event routes of the service: a growing log, its list, and its streams, which resume by last-event-id. The test
// decides how a stream is cut, split and ended.
import type { ServerResponse } from 'node:http';
import type { Play, Seen } from './playing-server.ts';

export interface PlayedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

export function eventNo(number: number, data: Record<string, unknown> = {}): PlayedEvent {
  return {
    id: `evt_${String(number).padStart(5, '0')}_1`,
    type: 'transaction.completed',
    data: { ...data, number },
  };
}

const START = 'retry: 10\n: connected\n\n';

export function textOf(event: PlayedEvent, lineEnd = '\n'): string {
  const lines = [`id: ${event.id}`, `event: ${event.type}`, `data: ${JSON.stringify(event)}`, '', ''];
  return lines.join(lineEnd);
}

export function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(START);
}

/** Returns the events after the client's last event. If the client sends no last-event-id, the result is empty. */
export function afterLast({ headers }: Seen, log: readonly PlayedEvent[]): readonly PlayedEvent[] {
  const last = headers['last-event-id'];
  return last === undefined ? [] : log.slice(log.findIndex(({ id }) => id === last) + 1);
}

/** GET /events/v1 */
function listPage({ url }: Seen, log: readonly PlayedEvent[]): unknown {
  const query = new URL(url, 'http://x').searchParams;
  const limit = Number(query.get('limit') ?? 25);
  const cursor = query.get('cursor');
  const ordered = query.get('order') === 'desc' ? [...log].reverse() : log;
  const rest = cursor === null ? ordered : ordered.slice(ordered.findIndex(({ id }) => id === cursor) + 1);
  const events = rest.slice(0, limit);
  return {
    status: 'success',
    message: '',
    events,
    next_cursor: rest.length > limit ? events.at(-1)!.id : null,
  };
}

export function eventRoutes(log: readonly PlayedEvent[], stream: Play): Play {
  return (seen, response) => {
    if (new URL(seen.url, 'http://x').pathname !== '/events/v1') return stream(seen, response);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(listPage(seen, log)));
  };
}
