// Sends one event to the local target of `listen` exactly as the service sends a webhook. The body and the headers are the
// same, and the signature follows Standard Webhooks.
import type { SliproadEvent } from '../../../../sdk/src/index.ts';
import { type Signer, signedContent } from '../../../../sdk/src/webhooks/keys.ts';
import { VERSION } from '../../../wire/version.ts';

export type TargetOutcome =
  | { readonly kind: 'delivered'; readonly status: number; readonly durationMs: number }
  /** The target responded with an error status. */
  | { readonly kind: 'refused'; readonly status: number; readonly durationMs: number }
  /** The target did not respond, or a proxy reports that the target is unavailable. */
  | { readonly kind: 'away'; readonly reason: string };

const ANSWER_WITHIN_MS = 15_000;
const AWAY_STATUSES = [429, 502, 503, 504];

export async function sendToTarget(
  url: string,
  signer: Signer,
  event: SliproadEvent,
): Promise<TargetOutcome> {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = await signer.sign(signedContent(event.id, timestamp, new TextEncoder().encode(body)));
  const startedAt = performance.now();
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      headers: {
        'content-type': 'application/json',
        'user-agent': `Sliproad/${VERSION}`,
        'webhook-id': event.id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signature,
      },
    });
    await answer.body?.cancel();
    const { status } = answer;
    if (AWAY_STATUSES.includes(status)) return { kind: 'away', reason: `status ${status}` };
    const durationMs = Math.round(performance.now() - startedAt);
    return { kind: answer.ok ? 'delivered' : 'refused', status, durationMs };
  } catch (error) {
    const { cause, message, name } = error as Error & { readonly cause?: { readonly code?: string } };
    if (name === 'TimeoutError')
      return { kind: 'away', reason: `no answer within ${ANSWER_WITHIN_MS / 1000} s` };
    return { kind: 'away', reason: cause?.code ?? message };
  }
}
