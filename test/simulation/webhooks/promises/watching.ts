// What the watches of webhooks check, which calls they see, and how they report a broken promise.
import type {
  AttemptSettlement,
  DeliveryLeaseRequest,
  LeasedDelivery,
  NewDelivery,
  WebhookOutcome,
  WebhookRequest,
} from '../../../../src/ports/webhooks.ts';
import type { WebhookMemory } from '../store/memory.ts';

export interface WatchedParts {
  readonly memory: WebhookMemory;
  readonly now: () => number;
  /** The maximum difference between the clocks of two processes. */
  readonly toleranceMs: number;
  readonly broken: (promise: string, detail: string, subject: string | null) => void;
}

export interface WebhookWatch {
  claimable(request: DeliveryLeaseRequest): ReadonlySet<string>;
  claimed(
    courier: string,
    request: DeliveryLeaseRequest,
    couldBe: ReadonlySet<string>,
    leased: readonly LeasedDelivery[],
  ): void;
  targetRead(courier: string, endpointId: string): void;
  sends(courier: string, request: WebhookRequest): void;
  heard(courier: string, request: WebhookRequest, outcome: WebhookOutcome): void;
  settled(courier: string, settlement: AttemptSettlement): void;
  /** The caller must call the returned function after the deliveries were queued. */
  beforeQueueing(deliveries: readonly NewDelivery[]): () => void;
  endpointChanged(id: string): void;
  /** `oldEndAtMs`: the time until which the previous keys also sign. */
  keysMade(endpointId: string, oldEndAtMs: number | null): void;
  secretShown(endpointId: string, secret: string | null): void;
  overlapPromised(endpointId: string, untilMs: number): void;
  backedUp(): void;
  restored(): void;
  sentInRound(endpointId: string, eventId: string): number;
  readonly bodies: ReadonlyMap<string, string>;
  readonly subscriptions: ReadonlyMap<string, readonly (readonly string[] | null)[]>;
}
