// The webhook endpoints of the business and their deliveries. Every POST has an idempotency key. If the response to a rotation,
// a test or a redelivery is lost, the SDK repeats the request, and the service executes it only once.
import type {
  AddWebhookEndpointAnswer,
  AddWebhookEndpointBody,
  ChangeWebhookEndpointBody,
  GetWebhookDeliveryAnswer,
  ListWebhookDeliveriesAnswer,
  ListWebhookDeliveriesQuery,
  RecoverWebhooksAnswer,
  RecoverWebhooksBody,
  RedeliverWebhookRangeBody,
  RotateWebhookKeysBody,
  WebhookDelivery,
  WebhookEndpoint,
} from '../api-types.ts';
import type { EventFilter, EventType } from '../api-words.ts';
import { type Listing, listing } from '../listing.ts';
import { type CallOptions, pathPart, type Transport } from '../transport/transport.ts';
import { checkBody, type IdempotentOptions, postOnce } from './requests-to-make.ts';

/** An endpoint with its secret. Only `create` and `rotate` return `secret`. */
export type EndpointWithSecret = AddWebhookEndpointAnswer['endpoint'];
/** A delivery with its attempts and the request that was sent. */
export type DeliveryDetails = GetWebhookDeliveryAnswer['delivery'];

export interface CreateEndpointInput extends Omit<AddWebhookEndpointBody, 'events'> {
  /** The types of the events. If absent, the endpoint receives all events. */
  readonly events?: readonly EventFilter[] | null | undefined;
}

export interface UpdateEndpointInput extends Omit<ChangeWebhookEndpointBody, 'events'> {
  readonly events?: readonly EventFilter[] | null | undefined;
}

export interface RedeliverRange extends Omit<RedeliverWebhookRangeBody, 'events' | 'cursor'> {
  readonly events?: readonly EventFilter[] | null | undefined;
}

const ENDPOINTS = '/webhooks/v1/endpoints';
const DELIVERIES = '/webhooks/v1/deliveries';

export class Webhooks {
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;

  constructor(transport: Transport) {
    this.endpoints = new Endpoints(transport);
    this.deliveries = new Deliveries(transport);
  }
}

export class Endpoints {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates an endpoint. Store the secret from the response, because the service does not show it again. `rotate` returns a new
   * secret.
   */
  async create(body: CreateEndpointInput, options: IdempotentOptions = {}): Promise<EndpointWithSecret> {
    checkBody(body, 'webhooks.endpoints.create');
    return postOnce(this.#transport, { path: ENDPOINTS, body }, options, 'endpoint');
  }

  async list({ signal }: CallOptions = {}): Promise<readonly WebhookEndpoint[]> {
    return this.#transport.field({ method: 'GET', path: ENDPOINTS, signal }, 'endpoints');
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<WebhookEndpoint> {
    return this.#transport.field({ method: 'GET', path: pathOf(id), signal }, 'endpoint');
  }

  async update(
    id: string,
    body: UpdateEndpointInput,
    { signal }: CallOptions = {},
  ): Promise<WebhookEndpoint> {
    checkBody(body, 'webhooks.endpoints.update');
    return this.#transport.field({ method: 'PATCH', path: pathOf(id), body, signal }, 'endpoint');
  }

  async delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.call({ method: 'DELETE', path: pathOf(id), signal });
  }

  /** Creates a new secret. During `overlap_hours` (default: 24), the service signs webhooks with both secrets. */
  async rotate(
    id: string,
    body: RotateWebhookKeysBody = {},
    options: IdempotentOptions = {},
  ): Promise<EndpointWithSecret> {
    return postOnce(this.#transport, { path: `${pathOf(id)}/rotate`, body }, options, 'endpoint');
  }

  /** Sends a test event to this endpoint only. */
  async test(
    id: string,
    body: { readonly type?: EventType | undefined } = {},
    options: IdempotentOptions = {},
  ): Promise<WebhookDelivery> {
    return postOnce(this.#transport, { path: `${pathOf(id)}/test`, body }, options, 'delivery');
  }

  /** Newest first. */
  deliveries(
    id: string,
    filters: ListWebhookDeliveriesQuery = {},
    { signal }: CallOptions = {},
  ): Listing<WebhookDelivery> {
    const path = `${pathOf(id)}/deliveries`;
    const readPage = async (cursor: string | undefined) => {
      const query = { ...filters, cursor };
      const { deliveries, next_cursor } = await this.#transport.call<ListWebhookDeliveriesAnswer>({
        method: 'GET',
        path,
        query,
        signal,
      });
      return { items: deliveries, nextCursor: next_cursor };
    };
    return listing(readPage, filters.cursor);
  }

  /** Sends all events of a time range again. Returns the number of queued deliveries. */
  async redeliver(id: string, range: RedeliverRange, { signal }: CallOptions = {}): Promise<number> {
    checkBody(range, 'webhooks.endpoints.redeliver');
    return this.#queueAll(`${pathOf(id)}/redeliver`, range, signal);
  }

  /**
   * Sends events again that failed since a given time. It also sends events that were never queued because the endpoint was
   * disabled.
   */
  async recover(
    id: string,
    range: Omit<RecoverWebhooksBody, 'cursor'>,
    { signal }: CallOptions = {},
  ): Promise<number> {
    checkBody(range, 'webhooks.endpoints.recover');
    return this.#queueAll(`${pathOf(id)}/recover`, range, signal);
  }

  /**
   * The service queues a long range in parts, one request per part. If the response about a part was lost, the part is not
   * counted.
   */
  async #queueAll(path: string, range: object, signal: AbortSignal | undefined): Promise<number> {
    let all = 0;
    let cursor: string | null = null;
    do {
      const body: object = cursor === null ? range : { ...range, cursor };
      const idempotencyKey = this.#transport.newKey();
      const request = { method: 'POST', path, body, idempotencyKey, signal } as const;
      const part: RecoverWebhooksAnswer = await this.#transport.call(request);
      all += part.queued;
      cursor = part.next_cursor;
    } while (cursor !== null);
    return all;
  }
}

export class Deliveries {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns a delivery with its attempts and the request that was sent. */
  async get(id: string, { signal }: CallOptions = {}): Promise<DeliveryDetails> {
    const path = `${DELIVERIES}/${pathPart('id', id)}`;
    return this.#transport.field({ method: 'GET', path, signal }, 'delivery');
  }

  async redeliver(id: string, options: IdempotentOptions = {}): Promise<WebhookDelivery> {
    const path = `${DELIVERIES}/${pathPart('id', id)}/redeliver`;
    return postOnce(this.#transport, { path }, options, 'delivery');
  }
}

function pathOf(id: string): string {
  return `${ENDPOINTS}/${pathPart('id', id)}`;
}
