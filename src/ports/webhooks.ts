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
 * Deliveries: one for each event and endpoint that wants it. They are the queue that the sender works off,
 * and the log that a business reads. An attempt is counted when it is leased; only the newest lease can
 * say how it ended.
 */
export interface NewDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: EventType;
}

/** Spreads the event log over the endpoints. */
export interface DeliveryFanOut {
  /** Null: nothing was spread yet. */
  position(): Promise<LogPosition | null>;
  /** Enabled endpoints of these businesses. */
  listening(businessIds: readonly string[]): Promise<readonly EndpointSubscription[]>;
  /** Whether any endpoint of any business is enabled. */
  anyListens(): Promise<boolean>;
  /**
   * Adds deliveries and moves the position, together or not at all. An endpoint gets no event from before it was made, and no
   * event twice. Undefined: the position is no longer `from`, and nothing was written.
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
  /** The number of further attempts allowed for the endpoints named here. */
  readonly rooms: ReadonlyMap<string, number>;
  /** The number for all other endpoints. */
  readonly roomOfOthers: number;
  /** Endpoints are taken in order, beginning after this one, so that each has its turn. */
  readonly after: string;
  readonly limit: number;
  /** A delivery with so many attempts in its round is leased without counting another: there is none left to make. */
  readonly mostAttempts: number;
}

/** A delivery that one process may try until the lease ends. */
export interface LeasedDelivery extends NewDelivery {
  readonly fence: number;
  /** The number of this attempt, over all rounds. */
  readonly no: number;
  /** Attempts in this round, this one included. */
  readonly madeInRound: number;
  /** All attempts of the round have been made; no further one is allowed. */
  readonly spent: boolean;
}

/** The target of a delivery and its keys. */
export interface DeliveryTarget {
  readonly endpoint: Endpoint;
  /** Sealed keys in force, the newest first. */
  readonly sealedKeys: readonly string[];
}

export interface AttemptSettlement {
  readonly delivery: Pick<LeasedDelivery, 'id' | 'fence'>;
  readonly endpointId: string;
  /** Null: no attempt was made. */
  readonly attempt: DeliveryAttempt | null;
  readonly next: NextStep;
  readonly atMs: number;
}

export interface EndpointDisabling {
  readonly endpoint: Endpoint;
  readonly reason: Exclude<DisabledReason, 'requested'>;
  readonly atMs: number;
  /** The event that says so, stored in the same commit as the mails. */
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

/** The queue, as those who send see it. */
export interface DeliveryQueue {
  /** Leases due deliveries of enabled endpoints and counts their attempts. Those not tried yet come before retries. */
  claim(request: DeliveryLeaseRequest): Promise<readonly LeasedDelivery[]>;
  /** Reads the targets of endpoints that still receive. */
  targets(endpointIds: readonly string[], atMs: number): Promise<ReadonlyMap<string, DeliveryTarget>>;
  /**
   * Stores how an attempt ended, with its log and the health of its endpoint. Answers since when the endpoint has been failing;
   * undefined: the lease is over, and nothing was written.
   */
  settle(settlement: AttemptSettlement): Promise<{ readonly failingSinceMs: number | null } | undefined>;
  /** Disables an endpoint; false: it is no longer enabled, or has succeeded since `endpoint` was read. */
  disable(disabling: EndpointDisabling): Promise<boolean>;
  /** The addresses of those who look after a business's webhooks. */
  caretakers(businessId: string): Promise<readonly string[]>;
  /** Fails pending deliveries of endpoints that are disabled or deleted. Answers how many. */
  endStranded(atMs: number, limit: number): Promise<number>;
  /** Forgets deliveries that were made before that time and are over, with their attempts. Answers how many. */
  forget(beforeMs: number, limit: number): Promise<number>;
  /** The number of due deliveries and the time of the oldest, counted up to a limit. */
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

/** The log, as a business reads it, and what it asks to have sent again. */
export interface DeliveryLog {
  find(scope: BusinessScope, id: string): Promise<Delivery | undefined>;
  /** Newest first. */
  list(endpointId: string, filter: DeliveryFilter): Promise<readonly Delivery[]>;
  /** Oldest first. */
  attempts(deliveryId: string): Promise<readonly DeliveryAttempt[]>;
  /**
   * Makes these deliveries of an endpoint pending: those that do not exist are added, those that are over begin a new round of
   * the schedule, and those that wait for their next attempt are due now, in the same round. Others that are pending stay as they
   * are. `onlyFailed`: delivered ones stay, too. Answers how many it changed.
   */
  queueAgain(deliveries: readonly NewDelivery[], onlyFailed: boolean, atMs: number): Promise<number>;
  /** An event for one endpoint only, with its delivery. A delivery with that id stays as it is, and no event is added. */
  addTest(event: NewAccountEvent, delivery: NewDelivery): Promise<Delivery>;
}

// The endpoints of businesses, as their keys manage them. Every change is recorded with its actor in the same commit; nothing
// outside a business and mode is ever found.

/** The HMAC secret and the signing key of an endpoint, sealed together. */
export interface SealedKeys {
  readonly sealed: string;
  readonly publicKey: string;
  /** Names the request that made them: a repeated request makes no others. */
  readonly madeBy: string;
}

export type NewEndpoint = Pick<Endpoint, 'id' | 'businessId' | 'mode' | 'url' | 'events' | 'description'>;

export type EndpointChange = Partial<Pick<Endpoint, 'url' | 'events' | 'description' | 'state'>>;

export interface WebhookEndpoints {
  find(scope: BusinessScope, id: string): Promise<Endpoint | undefined>;
  /** Oldest first. */
  list(scope: BusinessScope): Promise<readonly Endpoint[]>;
  /** `most`: how many a business may have in a mode. `exists`: this id was added before. */
  add(
    endpoint: NewEndpoint,
    keys: SealedKeys,
    most: number,
    doing: AuditStamp,
  ): Promise<'added' | 'exists' | 'too_many'>;
  /** Enabling forgets how long it has failed. Undefined: there is none. */
  change(
    scope: BusinessScope,
    id: string,
    change: EndpointChange,
    doing: AuditStamp,
  ): Promise<Endpoint | undefined>;
  /** Ends its deliveries. False: there is none. */
  remove(scope: BusinessScope, id: string, doing: AuditStamp): Promise<boolean>;
  /**
   * The keys in force until now sign beside the new ones until `oldEndAtMs`. False: there is no such endpoint, or the request has
   * made its keys before.
   */
  rotate(
    scope: BusinessScope,
    id: string,
    keys: SealedKeys,
    oldEndAtMs: number,
    doing: AuditStamp,
  ): Promise<boolean>;
  /** The sealed keys that this request made; undefined when there are newer ones. */
  newestKeys(id: string, madeBy: string): Promise<string | undefined>;
}

/**
 * Sends one webhook attempt to an endpoint. It never throws, never follows a redirect and never contacts
 * an address that the address rules refuse; what happened is the outcome.
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
      /** The first 4 kB as text: secrets redacted, control characters escaped. */
      readonly answer: string;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'failed';
      readonly problem: WebhookProblem;
      readonly detail: string;
      readonly durationMs: number;
    }
  /** The address must not be contacted: trying again cannot help. */
  | { readonly kind: 'refused'; readonly detail: string; readonly durationMs: number };

export interface WebhookSender {
  /** The time limit counts from this call on. Send no more at once to one endpoint than it has connections: the rest waits. */
  send(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookOutcome>;
  /** The endpoint was deleted or disabled: its connections are closed when what they carry is answered. */
  forget(endpointId: string): void;
  /** Ends what is still being sent; those attempts fail. */
  close(): Promise<void>;
}
