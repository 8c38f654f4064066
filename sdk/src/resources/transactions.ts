// Existing transactions. You can read, list and cancel them, set a wallet, and follow the events of one transaction.
import type {
  GetTimelineAnswer,
  ListTransactionsAnswer,
  ListTransactionsQuery,
  SetWalletBody,
  Transaction,
} from '../api-types.ts';
import type { SliproadEvent } from '../event-types.ts';
import { type Listing, listing } from '../listing.ts';
import { type StreamOptions, streamEvents } from '../stream/stream-events.ts';
import { type CallOptions, pathPart, type Transport } from '../transport/transport.ts';
import { checkBody, type IdempotentOptions, postOnce } from './requests-to-make.ts';

export type TimelineEntry = GetTimelineAnswer['timeline'][number];

export class Transactions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<Transaction> {
    return this.#transport.field({ method: 'GET', path: pathOf(id), signal }, 'transaction');
  }

  /** Lists the transactions, newest first. `for await` returns all transactions, page by page. */
  list(filters: ListTransactionsQuery = {}, { signal }: CallOptions = {}): Listing<Transaction> {
    const readPage = async (cursor: string | undefined) => {
      const query = { ...filters, cursor };
      const { transactions, next_cursor } = await this.#transport.call<ListTransactionsAnswer>({
        method: 'GET',
        path: '/transactions/v1',
        query,
        signal,
      });
      return { items: transactions, nextCursor: next_cursor };
    };
    return listing(readPage, filters.cursor);
  }

  /** Returns every change of the transaction's state, oldest first. */
  async timeline(id: string, { signal }: CallOptions = {}): Promise<readonly TimelineEntry[]> {
    return this.#transport.field({ method: 'GET', path: `${pathOf(id)}/timeline`, signal }, 'timeline');
  }

  /** Cancels the transaction. This is possible until money has arrived. */
  async cancel(id: string, options: IdempotentOptions = {}): Promise<Transaction> {
    return postOnce(this.#transport, { path: `${pathOf(id)}/cancel` }, options, 'transaction');
  }

  /** Sets the wallet of a buy that waits for one, or the refund wallet of a sell. You can set it once. */
  async setWallet(id: string, body: SetWalletBody, { signal }: CallOptions = {}): Promise<Transaction> {
    checkBody(body, 'setWallet');
    return this.#transport.field(
      { method: 'PUT', path: `${pathOf(id)}/wallet`, body, signal },
      'transaction',
    );
  }

  /**
   * Streams the events of the transaction since its acceptance, followed by new events. The stream ends when `signal` is
   * aborted.
   */
  events(id: string, options: Omit<StreamOptions, 'types'> = {}): AsyncIterable<SliproadEvent> {
    return streamEvents(this.#transport, { ...options, path: `${pathOf(id)}/events` });
  }
}

function pathOf(id: string): string {
  return `/transactions/v1/${pathPart('id', id)}`;
}
