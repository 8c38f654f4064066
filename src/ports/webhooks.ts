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
 * Deliveries: one per event for each endpoint that subscribes to it. They are the queue of the sender, and also the log that a
 * business reads. An attempt is counted when it is leased; only the newest lease can store its outcome.
 */
export interface NewDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: EventType;
}

/** Distributes the events of the log to the endpoints. */
export interface DeliveryFanOut {
  /** Null if no event was distributed yet. */
  position(): Promise<LogPosition | null>;
  /** The enabled endpoints of these businesses. */
  listening(businessIds: readonly string[]): Promise<readonly EndpointSubscription[]>;
  /** Whether any endpoint of any business is enabled. */
  anyListens(): Promise<boolean>;
  /**
   * Adds the deliveries and moves the position, both or neither. An endpoint gets no event from before its creation, and gets no
   * event twice. If the position is no longer `from`, returns undefined and writes nothing.
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
  /** How many more attempts each of these endpoints may have. */
  readonly rooms: ReadonlyMap<string, number>;
  /** How many more attempts every other endpoint may have. */
  readonly roomOfOthers: number;
  /** Endpoints are served in order, starting after this one, so that every endpoint is served. */
  readonly after: string;
  readonly limit: number;
  /** If a delivery has had this many attempts in its round, it is leased but no attempt is counted: none is left. */
  readonly mostAttempts: number;
}

/** A delivery that one process may attempt until the lease ends. */
export interface LeasedDelivery extends NewDelivery {
  readonly fence: number;
  /** The number of this attempt, counted over all rounds. */
  readonly no: number;
  /** The number of attempts in this round, including this one. */
  readonly madeInRound: number;
  /** Whether all attempts of the round have been made. */
  readonly spent: boolean;
}

/** The target of a delivery, and the signing keys of the target. */
export interface DeliveryTarget {
  readonly endpoint: Endpoint;
  /** The active encrypted keys, the newest first. */
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
  /** The event about the disabling; it is stored in the same commit as the mails. */
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

/** The queue as the sender sees it. */
export interface DeliveryQueue {
  /** Leases due deliveries of enabled endpoints and counts their attempts. First attempts are leased before retries. */
  claim(request: DeliveryLeaseRequest): Promise<readonly LeasedDelivery[]>;
  /** Reads the targets of endpoints that still receive events. */
  targets(endpointIds: readonly string[], atMs: number): Promise<ReadonlyMap<string, DeliveryTarget>>;
  /**
   * Stores the outcome of an attempt, its log and the health of its endpoint. Returns the time since when the endpoint has been
   * failing; if the lease is over, returns undefined and writes nothing.
   */
  settle(settlement: AttemptSettlement): Promise<{ readonly failingSinceMs: number | null } | undefined>;
  /** Disables an endpoint; false if it is no longer enabled, or has succeeded since `endpoint` was read. */
  disable(disabling: EndpointDisabling): Promise<boolean>;
  /** The mail addresses of the people who manage the webhooks of a business. */
  caretakers(businessId: string): Promise<readonly string[]>;
  /** Marks pending deliveries of disabled or deleted endpoints as failed. Returns their number. */
  endStranded(atMs: number, limit: number): Promise<number>;
  /** Deletes finished deliveries that were created before that time, with their attempts. Returns their number. */
  forget(beforeMs: number, limit: number): Promise<number>;
  /** The number of due deliveries, counted up to a limit, and the due time of the oldest. */
  depth(atMs: number): Promise<{ readonly due: number; readonly oldestDueMs: number | null }>;
}

export interface DeliveryFilter {
  readonly state?: DeliveryState;
  readonly eventId?: string;
  /** The earliest creation time, inclusive. */
  readonly fromMs?: number;
  /** The latest creation time, inclusive. */
  readonly toMs?: number;
  /** The delivery before which the page starts. */
  readonly before?: string;
  readonly limit: number;
}

/** The log as a business reads it, and the deliveries that the business sends again. */
export interface DeliveryLog {
  find(scope: BusinessScope, id: string): Promise<Delivery | undefined>;
  /** Newest first. */
  list(endpointId: string, filter: DeliveryFilter): Promise<readonly Delivery[]>;
  /** Oldest first. */
  attempts(deliveryId: string): Promise<readonly DeliveryAttempt[]>;
  /**
   * Makes these deliveries of an endpoint pending. Missing deliveries are added, finished ones start a new round of the schedule,
   * and those that wait for their next attempt become due now, in the same round. Other pending deliveries do not change.
   * `onlyFailed`: successful deliveries do not change either. Returns the number of changed deliveries.
   */
  queueAgain(deliveries: readonly NewDelivery[], onlyFailed: boolean, atMs: number): Promise<number>;
  /**
   * Adds an event for a single endpoint, with its delivery. If a delivery with that id already exists, nothing is changed or
   * added.
   */
  addTest(event: NewAccountEvent, delivery: NewDelivery): Promise<Delivery>;
}

// The endpoints of businesses, with their keys. Every change is recorded with its actor in the same commit. Records of another
// business or mode are never returned.

/** The HMAC secret and the signing key of an endpoint, encrypted together. */
export interface SealedKeys {
  readonly sealed: string;
  readonly publicKey: string;
  /** The request that created the keys: if it is repeated, no further keys are created. */
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
  /** Enabling an endpoint resets the time since when it has been failing. Undefined if there is no such endpoint. */
  change(
    scope: BusinessScope,
    id: string,
    change: EndpointChange,
    doing: AuditStamp,
  ): Promise<Endpoint | undefined>;
  /** Ends its deliveries. False if there is no such endpoint. */
  remove(scope: BusinessScope, id: string, doing: AuditStamp): Promise<boolean>;
  /**
   * Until `oldEndAtMs`, both the current keys and the new keys sign. False if there is no such endpoint, or if the request has
   * already created its keys.
   */
  rotate(
    scope: BusinessScope,
    id: string,
    keys: SealedKeys,
    oldEndAtMs: number,
    doing: AuditStamp,
  ): Promise<boolean>;
  /** The encrypted keys that this request created; undefined if there are newer keys. */
  newestKeys(id: string, madeBy: string): Promise<string | undefined>;
}

/**
 * Sends one webhook attempt to an endpoint. It never throws, never follows a redirect and never contacts an address that the
 * address rules refuse; every result is returned as an outcome.
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
  /** The address must not be contacted, so a retry would not help. */
  | { readonly kind: 'refused'; readonly detail: string; readonly durationMs: number };

export interface WebhookSender {
  /**
   * The time limit starts when this function is called. Do not send more requests at once to one endpoint than it has
   * connections: the others would wait.
   */
  send(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookOutcome>;
  /** The endpoint was deleted or disabled: its connections are closed after their current responses. */
  forget(endpointId: string): void;
  /** Aborts the attempts in progress; they count as failed. */
  close(): Promise<void>;
}
