// Quotes. A quote is a price for one buy or sell that is valid until the quote expires.
import type { ListQuotesAnswer, ListQuotesQuery, MakeQuoteBody, Quote } from '../api-types.ts';
import { type Listing, listing } from '../listing.ts';
import { type CallOptions, pathPart, type Transport } from '../transport/transport.ts';
import { checkAmount, checkBody, type IdempotentOptions, postOnce } from './requests-to-make.ts';

const PATH = '/quotes/v1';

export class Quotes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a quote. To use it, send `quote_id` with `amount: naira_amount` in a buy or a sell before `expires_at`. */
  async create(body: MakeQuoteBody, options: IdempotentOptions = {}): Promise<Quote> {
    checkBody(body, 'quotes.create');
    checkAmount(body.amount);
    return postOnce(this.#transport, { path: PATH, body }, options, 'quote');
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<Quote> {
    return this.#transport.field({ method: 'GET', path: `${PATH}/${pathPart('id', id)}`, signal }, 'quote');
  }

  /** Lists the quotes, newest first. `for await` returns all quotes, page by page. */
  list(filters: ListQuotesQuery = {}, { signal }: CallOptions = {}): Listing<Quote> {
    const readPage = async (cursor: string | undefined) => {
      const query = { ...filters, cursor };
      const { quotes, next_cursor } = await this.#transport.call<ListQuotesAnswer>({
        method: 'GET',
        path: PATH,
        query,
        signal,
      });
      return { items: quotes, nextCursor: next_cursor };
    };
    return listing(readPage, filters.cursor);
  }
}
