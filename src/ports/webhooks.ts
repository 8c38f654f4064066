// Webhooks: endpoints, deliveries and their attempts, and the sender.
import type { BusinessEvent, EventType } from '../domain/events/event.ts';
import type { Mode } from '../domain/values/mode.ts';
import type { Delivery, DeliveryAttempt, DeliveryState } from '../domain/webhooks/delivery.ts';
import type { DisabledReason, Endpoint, EndpointSubscription } from '../domain/webhooks/endpoint.ts';
import type { NextStep } from '../domain/webhooks/schedule.ts';
import type { AuditStamp } from './back-office.ts';
import type { LogPosition } from './events.ts';
import type { NewMail } from './mail.ts';
import type { BusinessScope } from './store/reads.ts';

/**
 * There is one delivery per event for each endpoint that subscribes to the event. Deliveries are the queue of the sender and
 * also the log that a business reads. An attempt is counted when it is leased, and only the newest lease can store its outcome.
 */
export interface NewDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: EventType;
}

/** Makes the deliveries of the events in the event log, for the endpoints that subscribe to them. */
export interface DeliveryFanOut {
  /** Null if no event was distributed yet. */
  position(): Promise<LogPosition | null>;
  listening(businessIds: readonly string[]): Promise<readonly EndpointSubscription[]>;
  anyListens(): Promise<boolean>;
  /**
   * Adds the deliveries and moves the position, both or neither. An endpoint gets only events from after its creation, and each
   * event once. If the position is no longer `from`, nothing is written and the result is undefined.
   */
  spread(
    from: LogPosition | null,
    to: LogPosition,
    deliveries: readonly NewDelivery[],
    atMs: number,
  ): Promise<number | undefined>;
}

export interface DeliveryLeaseRequest {
  readonly atMs: number;
  readonly leaseUntilMs: number;
  /** How many more attempts each of these endpoints may have in progress. */
  readonly rooms: ReadonlyMap<string, number>;
  /** How many more attempts every endpoint outside `rooms` may have in progress. */
  readonly roomOfOthers: number;
  /** Endpoints are served in order, starting after this endpoint, so that every endpoint is served. */
  readonly after: string;
  readonly limit: number;
  /**
   * If a delivery has had this many attempts in its round, no attempt is left. It is then leased without counting an attempt.
   */
  readonly mostAttempts: number;
}

export interface LeasedDelivery extends NewDelivery {
  readonly fence: number;
  /** The number of this attempt, counted over all rounds. */
  readonly no: number;
  /** The number of attempts in this round, including the current attempt. */
  readonly madeInRound: number;
  /** Whether all attempts of the round have been made. */
  readonly spent: boolean;
}

export interface DeliveryTarget {
  readonly endpoint: Endpoint;
  /** The active keys in encrypted form, the newest first. */
  readonly sealedKeys: readonly string[];
}

export interface AttemptSettlement {
  readonly delivery: Pick<LeasedDelivery, 'id' | 'fence'>;
  readonly endpointId: string;
  /** Null if no attempt was made. */
  readonly attempt: DeliveryAttempt | null;
  readonly next: NextStep;
  readonly atMs: number;
}

export interface EndpointDisabling {
  readonly endpoint: Endpoint;
  readonly reason: Exclude<DisabledReason, 'requested'>;
  readonly atMs: number;
  /** The event that reports the disabled endpoint. It is stored in the same commit as the mails. */
  readonly event: NewAccountEvent;
  readonly mails: readonly NewMail[];
}

export interface NewAccountEvent {
  readonly id: string;
  readonly businessId: string;
  readonly mode: BusinessEvent['mode'];
  readonly type: EventType;
  readonly atMs: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly endpointId: string | null;
}

export interface DeliveryQueue {
  /** Leases due deliveries of enabled endpoints and counts their attempts. First attempts are leased before retries. */
  claim(request: DeliveryLeaseRequest): Promise<readonly LeasedDelivery[]>;
  /** Reads the URLs and keys of those endpoints that still receive events. */
  targets(endpointIds: readonly string[], atMs: number): Promise<ReadonlyMap<string, DeliveryTarget>>;
  /**
   * Stores the outcome of an attempt, its log and the health of its endpoint. It returns the time since when the endpoint has
   * been failing. If the lease has ended, nothing is written and the result is undefined.
   */
  settle(settlement: AttemptSettlement): Promise<{ readonly failingSinceMs: number | null } | undefined>;
  /**
   * Disables an endpoint. The result is false if the endpoint is no longer enabled, or has succeeded since `endpoint` was read.
   */
  disable(disabling: EndpointDisabling): Promise<boolean>;
  /** Returns the e-mail addresses of the people who manage the webhooks of a business. */
  caretakers(businessId: string): Promise<readonly string[]>;
  /** Marks pending deliveries of disabled or deleted endpoints as failed, and returns their number. */
  endStranded(atMs: number, limit: number): Promise<number>;
  /** Deletes finished deliveries that were created before that time, with their attempts, and returns their number. */
  forget(beforeMs: number, limit: number): Promise<number>;
  /** Returns the number of due deliveries, counted up to a limit, and the due time of the oldest delivery. */
  depth(atMs: number): Promise<{ readonly due: number; readonly oldestDueMs: number | null }>;
}

export interface DeliveryFilter {
  readonly state?: DeliveryState;
  readonly eventId?: string;
  /** The earliest creation time, inclusive. */
  readonly fromMs?: number;
  /** The latest creation time, inclusive. */
  readonly toMs?: number;
  /** The page starts after this delivery. Deliveries are listed newest first. */
  readonly before?: string;
  readonly limit: number;
}

/** The log of deliveries as a business reads it, and the deliveries that the business sends again. */
export interface DeliveryLog {
  find(scope: BusinessScope, id: string): Promise<Delivery | undefined>;
  /** Newest first. */
  list(endpointId: string, filter: DeliveryFilter): Promise<readonly Delivery[]>;
  /** Oldest first. */
  attempts(deliveryId: string): Promise<readonly DeliveryAttempt[]>;
  /**
   * Makes these deliveries of an endpoint pending and adds missing deliveries. A finished delivery starts a new round of the
   * schedule. A delivery that waits for its next attempt becomes due now, in the same round. Other pending deliveries do not
   * change. With `onlyFailed`, successful deliveries do not change either. The result is the number of changed deliveries.
   */
  queueAgain(deliveries: readonly NewDelivery[], onlyFailed: boolean, atMs: number): Promise<number>;
  /** Adds an event for a single endpoint, with its delivery. If a delivery with that id already exists, nothing changes. */
  addTest(event: NewAccountEvent, delivery: NewDelivery): Promise<Delivery>;
}

// Stores the endpoints of businesses, with their keys. Every change is recorded with its actor in the same commit. The store
// never returns records of another business or mode.

/** The HMAC secret and the signing key of an endpoint, encrypted together. */
export interface SealedKeys {
  readonly sealed: string;
  readonly publicKey: string;
  /** The request that created the keys. If the request is repeated, no further keys are created. */
  readonly madeBy: string;
}

export type NewEndpoint = Pick<Endpoint, 'id' | 'businessId' | 'mode' | 'url' | 'events' | 'description'>;

export type EndpointChange = Partial<Pick<Endpoint, 'url' | 'events' | 'description' | 'state'>>;

export interface WebhookEndpoints {
  find(scope: BusinessScope, id: string): Promise<Endpoint | undefined>;
  /** Oldest first. */
  list(scope: BusinessScope): Promise<readonly Endpoint[]>;
  /** `most`: the maximum number of endpoints per business and mode. `exists`: an endpoint with this id was already added. */
  add(
    endpoint: NewEndpoint,
    keys: SealedKeys,
    most: number,
    doing: AuditStamp,
  ): Promise<'added' | 'exists' | 'too_many'>;
  /**
   * Changes an endpoint. If the endpoint becomes enabled, the time since when it has been failing is reset. Undefined if there
   * is no such endpoint.
   */
  change(
    scope: BusinessScope,
    id: string,
    change: EndpointChange,
    doing: AuditStamp,
  ): Promise<Endpoint | undefined>;
  /** Removes the endpoint and ends its deliveries. The result is false if there is no such endpoint. */
  remove(scope: BusinessScope, id: string, doing: AuditStamp): Promise<boolean>;
  /**
   * Adds new keys to an endpoint. Until `oldEndAtMs`, both the current keys and the new keys sign. The result is false if there
   * is no such endpoint, or if the request has already created its keys.
   */
  rotate(
    scope: BusinessScope,
    id: string,
    keys: SealedKeys,
    oldEndAtMs: number,
    doing: AuditStamp,
  ): Promise<boolean>;
  /** Returns the encrypted keys that this request created; undefined if the endpoint has newer keys. */
  newestKeys(id: string, madeBy: string): Promise<string | undefined>;
}

/**
 * One webhook attempt to an endpoint. Sending never throws: every result is an outcome. The sender never follows a redirect,
 * and never contacts an address that the address rules refuse.
 */
export interface WebhookRequest {
  readonly endpointId: string;
  readonly url: string;
  readonly mode: Mode;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type WebhookProblem = 'timeout' | 'connection' | 'tls' | 'dns' | 'answer_too_large' | 'protocol';

export type WebhookOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfterMs: number | null;
      /** The first 4 kB of the response as text, with secrets redacted and control characters escaped. */
      readonly answer: string;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'failed';
      readonly problem: WebhookProblem;
      readonly detail: string;
      readonly durationMs: number;
    }
  /** The service must not contact the address, so a retry would not help. */
  | { readonly kind: 'refused'; readonly detail: string; readonly durationMs: number };

export interface WebhookSender {
  /**
   * The time limit starts when this function is called. Callers must send at most as many requests at once to one endpoint as
   * it has connections, because further requests would wait.
   */
  send(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookOutcome>;
  /** Called when the endpoint was deleted or disabled. It closes the connections after their current responses. */
  forget(endpointId: string): void;
  /** Aborts the attempts in progress, which then count as failed. */
  close(): Promise<void>;
}
