// Renders deliveries and their attempts as JSON for the API.
import type { Delivery, DeliveryAttempt } from '../../domain/webhooks/delivery.ts';

export function renderDelivery(delivery: Delivery) {
  const { nextAttemptAtMs } = delivery;
  return {
    id: delivery.id,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    state: delivery.state,
    reason: delivery.reason,
    attempts_made: delivery.attemptsMade,
    next_attempt_at: nextAttemptAtMs === null ? null : new Date(nextAttemptAtMs).toISOString(),
    created_at: new Date(delivery.createdAtMs).toISOString(),
    updated_at: new Date(delivery.updatedAtMs).toISOString(),
  };
}

export function renderAttempt({ no, atMs, durationMs, status, outcome, error, answer }: DeliveryAttempt) {
  return {
    no,
    at: new Date(atMs).toISOString(),
    duration_ms: durationMs,
    status,
    outcome,
    error,
    answer,
  };
}
