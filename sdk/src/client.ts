// The client: buys, sells, and the parts that read and follow them. The secret key is in a private field, which neither
// JSON.stringify nor an inspector shows.
import type {
  GetRateHistoryAnswer,
  GetRateHistoryQuery,
  GetUsdcRatesAnswer,
  InitiateBuyBody,
  InitiateSellBody,
  Transaction,
} from './api-types.ts';
import type { LoggedRequest, TransactionState, Vendor } from './api-words.ts';
import { invalidArgument } from './errors.ts';
import { readOptions, type Settings, type SliproadOptions } from './options.ts';
import { type Banks, makeBanks } from './resources/banks.ts';
import { Events } from './resources/events.ts';
import { Quotes } from './resources/quotes.ts';
import {
  type CreateOptions,
  checkAmount,
  checkBody,
  postOnce,
  scenarioHeader,
} from './resources/requests-to-make.ts';
import { Sandbox } from './resources/sandbox.ts';
import { Transactions } from './resources/transactions.ts';
import { Webhooks } from './resources/webhooks.ts';
import { type CallOptions, pathPart, Transport } from './transport/transport.ts';
import { type WaitOptions, waitForState } from './wait-for.ts';

/** Naira for one unit of each currency. */
export type Rates = GetUsdcRatesAnswer;
export type RatePoint = GetRateHistoryAnswer['points'][number];

type Filled = 'business_id' | 'link_tag' | 'type' | 'vendor_name' | 'vendor_bank' | 'vendor_number';

export interface BuyInput extends Omit<InitiateBuyBody, Filled> {
  /** An entry of `vendors()`: the account that your customer pays. */
  readonly vendor: Vendor;
}

export interface SellInput extends Omit<InitiateSellBody, Filled> {}

export class Sliproad {
  readonly transactions: Transactions;
  readonly quotes: Quotes;
  /** Call it for the list of banks; `banks.account(code, number)` asks who owns an account. */
  readonly banks: Banks;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly sandbox: Sandbox;
  readonly rates: {
    usdc(options?: CallOptions): Promise<Rates>;
    /** Needs otcBaseUrl. */
    otcBuy(options?: CallOptions): Promise<Rates>;
    /** One rate over time, oldest first, with the spread that held for you. */
    history(query: GetRateHistoryQuery, options?: CallOptions): Promise<readonly RatePoint[]>;
  };
  readonly requests: {
    /** What the service saw of a request; every error names its `requestId`. */
    get(id: string, options?: CallOptions): Promise<LoggedRequest>;
  };
  readonly #settings: Settings;
  readonly #transport: Transport;

  constructor(options: SliproadOptions) {
    const settings = readOptions(options);
    const transport = new Transport(settings);
    this.#settings = settings;
    this.#transport = transport;
    this.transactions = new Transactions(transport);
    this.quotes = new Quotes(transport);
    this.banks = makeBanks(transport);
    this.events = new Events(transport);
    this.webhooks = new Webhooks(transport);
    this.sandbox = new Sandbox(transport);
    this.rates = {
      usdc: ({ signal } = {}) => transport.call({ method: 'GET', path: '/rates/v1/usdc-ngnc', signal }),
      otcBuy: async ({ signal } = {}) => {
        const base = settings.otcBaseUrl;
        if (base !== undefined) return transport.call({ method: 'GET', base, path: '/otc/buy', signal });
        throw invalidArgument('otcBaseUrl', 'rates.otcBuy() needs otcBaseUrl: give it to new Sliproad().');
      },
      history: (query, { signal } = {}) =>
        transport.field({ method: 'GET', path: '/rates/v1/history', query: { ...query }, signal }, 'points'),
    };
    this.requests = {
      get: async (id, { signal } = {}) => {
        const path = `/requests/v1/${pathPart('id', id)}`;
        return transport.field<LoggedRequest>({ method: 'GET', path, signal }, 'request');
      },
    };
  }

  /** The customer pays naira to the vendor and receives tokens in the wallet. */
  async buy(input: BuyInput, options: CreateOptions = {}): Promise<Transaction> {
    checkBody(input, 'buy');
    const { vendor, ...fields } = input;
    if (typeof vendor?.vendorNumber !== 'string') {
      throw invalidArgument(
        'vendor',
        'vendor must be an entry of vendors(): { vendorName, vendorNumber, vendorBank }.',
      );
    }
    const { vendorName, vendorBank, vendorNumber } = vendor;
    const payTo = { vendor_name: vendorName, vendor_bank: vendorBank, vendor_number: vendorNumber };
    return this.#create('/transactions/v1/onramp', { type: 'buy_ramp', ...payTo, ...fields }, options);
  }

  /** You send tokens, and naira are paid out to the bank account. */
  async sell(input: SellInput, options: CreateOptions = {}): Promise<Transaction> {
    checkBody(input, 'sell');
    return this.#create('/transactions/v1/offramp', { type: 'sell_ramp', ...input }, options);
  }

  /** The bank accounts that your customers pay into. */
  async vendors({ signal }: CallOptions = {}): Promise<readonly Vendor[]> {
    return this.#transport.field({ method: 'GET', path: '/transactions/v1/vendors', signal }, 'VendorList');
  }

  /**
   * The transaction, as soon as it has reached one of the states; it may have moved on by the time it is read. Throws a
   * SliproadStateError when it ends in another state, and a SliproadTimeoutError after `timeoutMs`.
   */
  async waitFor(
    id: string,
    state: TransactionState | readonly TransactionState[],
    options: WaitOptions = {},
  ): Promise<Transaction> {
    const wanted = typeof state === 'string' ? [state] : state;
    return waitForState(this.transactions, this.#settings.timers, id, wanted, options);
  }

  async #create(
    path: string,
    fields: { readonly type: string; readonly amount: number },
    options: CreateOptions,
  ): Promise<Transaction> {
    checkAmount(fields.amount);
    const { businessId, linkTag } = this.#settings;
    const body = { business_id: businessId, link_tag: linkTag, ...fields };
    return postOnce(this.#transport, { path, body, ...scenarioHeader(options) }, options, 'transaction');
  }
}
