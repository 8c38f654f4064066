// The exports of the package: the client, its errors, and the helpers for webhooks.
export type * from './api-types.ts';
export type * from './api-words.ts';
export { type BuyInput, type RatePoint, type Rates, type SellInput, Sliproad } from './client.ts';
export * from './errors.ts';
export type * from './event-types.ts';
export type { Listing, Page } from './listing.ts';
export type { SliproadOptions } from './options.ts';
export type { Banks } from './resources/banks.ts';
export type { Events } from './resources/events.ts';
export type { Quotes } from './resources/quotes.ts';
export type { CreateOptions, IdempotentOptions } from './resources/requests-to-make.ts';
export type { BankCredit, Sandbox, SandboxDeposit } from './resources/sandbox.ts';
export type { TimelineEntry, Transactions } from './resources/transactions.ts';
export type {
  CreateEndpointInput,
  Deliveries,
  DeliveryDetails,
  Endpoints,
  EndpointWithSecret,
  RedeliverRange,
  UpdateEndpointInput,
  Webhooks,
} from './resources/webhooks.ts';
export type { StreamOptions, StreamState } from './stream/stream-events.ts';
export type { Timers } from './transport/timers.ts';
export type { CallOptions } from './transport/transport.ts';
export type { WaitOptions } from './wait-for.ts';
export { type SignedWebhook, type SignTestEventInput, signTestEvent } from './webhooks/sign.ts';
export { type TestEventOptions, testEvent } from './webhooks/test-event.ts';
export { type VerifyWebhookInput, verifyWebhook, type WebhookHeaders } from './webhooks/verify.ts';
