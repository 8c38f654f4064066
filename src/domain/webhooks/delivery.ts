// A webhook delivery: one event for one endpoint, tried until an attempt succeeds or the schedule ends. The log of a delivery
// contains its attempts.
import type { EventType } from '../events/event.ts';
import type { FailureReason } from './schedule.ts';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Why a delivery failed: the reason of its last attempt, or that the endpoint no longer receives events. */
export type DeliveryFailure = FailureReason | 'endpoint_disabled' | 'endpoint_deleted';

export interface Delivery {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly state: DeliveryState;
  /** Set only if the delivery has failed. */
  readonly reason: DeliveryFailure | null;
  /** The number of attempts over all rounds of the schedule. */
  readonly attemptsMade: number;
  /** Null if the delivery has succeeded or failed. */
  readonly nextAttemptAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Why an attempt got no response. `keys_unreadable`: the service could not read its own keys and sent nothing. */
type AttemptProblem =
  | 'timeout'
  | 'connection'
  | 'tls'
  | 'dns'
  | 'answer_too_large'
  | 'protocol'
  | 'keys_unreadable';

export interface DeliveryAttempt {
  /**
   * The number of the attempt over all rounds of the schedule: 1, 2, 3 …. If a number is missing, the process of that attempt
   * stopped before it knew the outcome.
   */
  readonly no: number;
  readonly atMs: number;
  readonly durationMs: number;
  /** The HTTP status of the response; null if there was no response. */
  readonly status: number | null;
  readonly outcome: 'succeeded' | 'answered' | 'address_refused' | AttemptProblem;
  readonly error: string | null;
  /** The beginning of the response body, with secrets removed. */
  readonly answer: string | null;
}
