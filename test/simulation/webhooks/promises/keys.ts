// Checks the signatures of webhooks. Each attempt is signed with every secret that was valid, including old secrets during the
// overlap, and with no other secret.
import { createHmac, createPublicKey, verify } from 'node:crypto';
import type { WebhookRequest } from '../../../../src/ports/webhooks.ts';
import type { WatchedParts } from './watching.ts';

interface KnownKey {
  readonly hmac: string;
  readonly publicKey: string;
  readonly fromMs: number;
  readonly endMs: number;
}

export interface KeyWatch {
  made(endpointId: string, oldEndAtMs: number | null): void;
  shown(endpointId: string, secret: string | null): void;
  /** The service promised the business that the previous keys also sign until `untilMs`. */
  promised(endpointId: string, untilMs: number): void;
  /** `readAtMs`: when the process read the keys, which is not before `claimedAtMs`. */
  check(request: WebhookRequest, readAtMs: number, claimedAtMs: number): void;
  restored(): void;
}

/**
 * The check verifies one ed25519 signature in this many, because a verification takes longer than everything else in an
 * attempt.
 */
const VERIFIED = 16;

export function makeKeyWatch({ memory, now, toleranceMs, broken }: WatchedParts): KeyWatch {
  const endless = Number.POSITIVE_INFINITY;
  const known = new Map<string, readonly KnownKey[]>();
  let checked = 0;
  const made: KeyWatch['made'] = (endpointId, oldEndAtMs) => {
    const { sealed, publicKey } = memory.keys.get(endpointId)!.at(-1)!;
    const { hmac } = JSON.parse(sealed.slice(sealed.indexOf('|') + 1)) as { hmac: string };
    // Without an overlap, the old keys end with this commit. The time in the request is a little earlier.
    const endMs = oldEndAtMs === null ? 0 : Math.max(oldEndAtMs, now());
    const before = (known.get(endpointId) ?? []).map((each) => ({
      ...each,
      endMs: Math.min(each.endMs, endMs),
    }));
    const newest = { hmac, publicKey, fromMs: now(), endMs: endless };
    known.set(endpointId, [...before, newest]);
  };
  return {
    made,
    shown: (endpointId, secret) => {
      const isKnown = (known.get(endpointId) ?? []).some(({ hmac }) => hmac === secret);
      if (secret !== null && !isKnown && memory.endpoints.has(endpointId))
        broken('the secret that a business is shown signs', endpointId, endpointId);
    },
    promised: (endpointId, untilMs) => {
      const keys = known.get(endpointId) ?? [];
      // Only the previous key is extended. An earlier rotation may end older keys sooner.
      const last = keys.at(-2);
      if (last === undefined || last.endMs >= untilMs) return;
      known.set(
        endpointId,
        keys.map((each) => (each === last ? { ...each, endMs: untilMs } : each)),
      );
    },
    check: ({ endpointId, headers, body }, readAtMs, claimedAtMs) => {
      const id = headers['webhook-id']!;
      const content = `${id}.${headers['webhook-timestamp']}.${body}`;
      const parts = headers['webhook-signature']!.split(' ');
      const keys = known.get(endpointId) ?? [];
      const signing = keys.filter(({ hmac }) => parts.includes(`v1,${hmacOf(hmac, content)}`));
      const isMissing = keys.some(
        (key) => key.fromMs < claimedAtMs && key.endMs > readAtMs + toleranceMs && !signing.includes(key),
      );
      if (isMissing) broken('every secret in force signs', `${id} to ${endpointId}`, id);
      const isTooMany = signing.some((key) => key.endMs < claimedAtMs - toleranceMs);
      if (isTooMany || parts.length !== 2 * signing.length)
        broken('only secrets in force sign', `${id} to ${endpointId}: ${parts.length}`, id);
      if (
        checked++ % VERIFIED === 0 &&
        !signing.every(({ publicKey }) => isSigned(publicKey, content, parts))
      )
        broken('every signature verifies with the public key', `${id} to ${endpointId}`, id);
    },
    restored: () => {
      known.clear();
      for (const [endpointId, rows] of memory.keys)
        known.set(
          endpointId,
          rows.map(({ sealed, publicKey, endsAtMs }) => {
            const { hmac } = JSON.parse(sealed.slice(sealed.indexOf('|') + 1)) as { hmac: string };
            return { hmac, publicKey, fromMs: 0, endMs: endsAtMs ?? endless };
          }),
        );
    },
  };
}

function hmacOf(secret: string, content: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}

function isSigned(publicKey: string, content: string, parts: readonly string[]): boolean {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return parts.some(
    (part) =>
      part.startsWith('v1a,') &&
      verify(null, Buffer.from(content), key, Buffer.from(part.slice('v1a,'.length), 'base64')),
  );
}
