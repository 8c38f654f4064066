// Contains the HMAC secret and the signing key of an endpoint. They are created and sealed together. The service opens them
// only to sign, or to show the secret once.
import {
  newSecret,
  newSigningKey,
  SECRET_RANDOM_BYTES,
  SIGNING_KEY_RANDOM_BYTES,
  type WebhookSecrets,
} from '../../domain/webhooks/signature.ts';
import type { Entropy } from '../../ports/clock.ts';
import type { SecretBox } from '../../ports/people/credentials.ts';
import type { SealedKeys, WebhookEndpoints } from '../../ports/webhooks.ts';

export function webhookKeysPurpose(endpointId: string): string {
  return `webhook keys of ${endpointId}`;
}

/** `madeBy` identifies the request that makes the keys. `secret` is the secret that the business sees once. */
export function makeEndpointKeys(
  { box, entropy }: { readonly box: SecretBox; readonly entropy: Entropy },
  endpointId: string,
  madeBy: string,
): { readonly keys: SealedKeys; readonly secret: string } {
  const hmac = newSecret(entropy.bytes(SECRET_RANDOM_BYTES));
  const { privateKey: ed25519, publicKey } = newSigningKey(entropy.bytes(SIGNING_KEY_RANDOM_BYTES));
  const text = JSON.stringify({ hmac, ed25519 } satisfies WebhookSecrets);
  const sealed = box.seal(Buffer.from(text), webhookKeysPurpose(endpointId));
  return { keys: { sealed, publicKey, madeBy }, secret: hmac };
}

export function openEndpointKeys(
  box: Pick<SecretBox, 'unseal'>,
  endpointId: string,
  sealed: string,
): WebhookSecrets {
  const bytes = box.unseal(sealed, webhookKeysPurpose(endpointId));
  return JSON.parse(Buffer.from(bytes).toString()) as WebhookSecrets;
}

/**
 * Returns the secret for a repeated request, because the first response may have been lost. Returns null if the keys were
 * rotated after the first request.
 */
export async function findSecretMadeBy(
  { endpoints, box }: { readonly endpoints: WebhookEndpoints; readonly box: SecretBox },
  endpointId: string,
  madeBy: string,
): Promise<string | null> {
  const sealed = await endpoints.newestKeys(endpointId, madeBy);
  return sealed === undefined ? null : openEndpointKeys(box, endpointId, sealed).hmac;
}
