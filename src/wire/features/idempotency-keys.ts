// Deletes Idempotency-Keys that are older than the operator keeps them.
import { forgetIdempotencyKeys } from '../../workers/forget-idempotency-keys.ts';
import type { Feature, ServiceParts } from '../feature.ts';

export function idempotencyKeysFeature({ store, clock, onError, config }: ServiceParts): Feature {
  return { loops: [forgetIdempotencyKeys({ store, clock, onError }, config.idempotencyKeepMs)] };
}
