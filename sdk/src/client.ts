// The client of the SDK. It creates buys and sells, and it has the resources that read and follow them. The secret key is in a
// private field, which JSON.stringify and inspectors do not show.
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

/** The price in naira of one unit of each currency. */
export type Rates = GetUsdcRatesAnswer;
export type RatePoint = GetRateHistoryAnswer['points'][number];

type Filled = 'business_id' | 'link_tag' | 'type' | 'vendor_name' | 'vendor_bank' | 'vendor_number';

export interface BuyInput extends Omit<InitiateBuyBody, Filled> {
  /** An entry of `vendors()`: the bank account that your customer pays. */
  readonly vendor: Vendor;
}

export interface SellInput extends Omit<InitiateSellBody, Filled> {}

export class Sliproad {
  readonly transactions: Transactions;
  readonly quotes: Quotes;
  /** `banks()` lists the banks. `banks.account(code, number)` looks up the owner of an account. */
  readonly banks: Banks;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly sandbox: Sandbox;
  readonly rates: {
    usdc(options?: CallOptions): Promise<Rates>;
    /** Returns the OTC rates. This call needs the option otcBaseUrl. */
    otcBuy(options?: CallOptions): Promise<Rates>;
    /** Returns the history of one rate, oldest first. It includes the spread that applied to you at that time. */
    history(query: GetRateHistoryQuery, options?: CallOptions): Promise<readonly RatePoint[]>;
  };
  readonly requests: {
    /** Returns one of your logged requests with its response. Every error has a `requestId`. */
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

  /** Creates a buy: the customer pays naira to the vendor account and receives tokens in the wallet. */
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

  /** Creates a sell: you send tokens, and the service pays out naira to the bank account. */
  async sell(input: SellInput, options: CreateOptions = {}): Promise<Transaction> {
    checkBody(input, 'sell');
    return this.#create('/transactions/v1/offramp', { type: 'sell_ramp', ...input }, options);
  }

  /** Returns the bank accounts that your customers pay into. */
  async vendors({ signal }: CallOptions = {}): Promise<readonly Vendor[]> {
    return this.#transport.field({ method: 'GET', path: '/transactions/v1/vendors', signal }, 'VendorList');
  }

  /**
   * Returns the transaction as soon as it has reached one of the states. Its current state may already be a later one. Throws a
   * SliproadStateError if the transaction ends in a different state, and a SliproadTimeoutError after `timeoutMs`.
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
