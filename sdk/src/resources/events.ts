// The events of the business: the list of past events, and the stream of new events.

import type { EventFilters, SliproadEvent } from '../event-types.ts';
import { type Listing, listing } from '../listing.ts';
import { type StreamOptions, streamEvents } from '../stream/stream-events.ts';
import type { CallOptions, Transport } from '../transport/transport.ts';

const PATH = '/events/v1';
const LARGEST_PAGE = 100;

export class Events {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists the events, oldest first unless `order` is desc. `for await` returns all events, page by page. */
  list(filters: EventFilters = {}, { signal }: CallOptions = {}): Listing<SliproadEvent> {
    const readPage = async (cursor: string | undefined) => {
      const query = { ...filters, cursor };
      const { events, next_cursor } = await this.#transport.call<{
        readonly events: readonly SliproadEvent[];
        readonly next_cursor: string | null;
      }>({ method: 'GET', path: PATH, query, signal });
      return { items: events, nextCursor: next_cursor };
    };
    return listing(readPage, filters.cursor);
  }

  /**
   * Returns events as they happen, from now on or after the event `after`. The stream reconnects automatically, and returns
   * every event exactly once. It ends when `signal` is aborted, and throws if the service refuses the key.
   */
  stream(options: StreamOptions = {}): AsyncGenerator<SliproadEvent, void, undefined> {
    const { signal, types } = options;
    const newest = async () => {
      for await (const { id } of this.list({ order: 'desc', limit: 1 }, { signal })) return id;
      return undefined;
    };
    const missed = () => this.list({ type: types, limit: LARGEST_PAGE }, { signal });
    return streamEvents(this.#transport, { ...options, path: `${PATH}/stream`, newest, missed });
  }
}
