// A delivery: one event for one endpoint, tried until it succeeds or the schedule ends. It also has the log of its attempts.
import type { EventType } from '../events/event.ts';
import type { FailureReason } from './schedule.ts';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The reason why a delivery failed: that of its last attempt, or that the endpoint no longer receives events. */
export type DeliveryFailure = FailureReason | 'endpoint_disabled' | 'endpoint_deleted';

export interface Delivery {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly state: DeliveryState;
  /** Set if the delivery has failed. */
  readonly reason: DeliveryFailure | null;
  /** The number of attempts in all rounds. */
  readonly attemptsMade: number;
  /** Null once the delivery has succeeded or failed. */
  readonly nextAttemptAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The reason why there was no response. `keys_unreadable`: the fault is ours, and nothing was sent. */
type AttemptProblem =
  | 'timeout'
  | 'connection'
  | 'tls'
  | 'dns'
  | 'answer_too_large'
  | 'protocol'
  | 'keys_unreadable';

/** One attempt in the log. */
export interface DeliveryAttempt {
  /**
   * The number of the attempt over all rounds: 1, 2, 3 …. If a number is missing, the process of that attempt stopped before it
   * knew the outcome.
   */
  readonly no: number;
  readonly atMs: number;
  readonly durationMs: number;
  /** The status of the response; null: there was no response. */
  readonly status: number | null;
  readonly outcome: 'succeeded' | 'answered' | 'address_refused' | AttemptProblem;
  readonly error: string | null;
  /** The beginning of the response, without secrets. */
  readonly answer: string | null;
}
