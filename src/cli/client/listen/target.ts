// Sends one event to the local target of `listen` exactly as the service sends webhooks: same body, same headers, signed by the
// Standard Webhooks scheme.
import type { SliproadEvent } from '../../../../sdk/src/index.ts';
import { type Signer, signedContent } from '../../../../sdk/src/webhooks/keys.ts';
import { VERSION } from '../../../wire/version.ts';

export type TargetOutcome =
  | { readonly kind: 'delivered'; readonly status: number; readonly durationMs: number }
  /** The target answered with an error. */
  | { readonly kind: 'refused'; readonly status: number; readonly durationMs: number }
  /** The target did not answer, or a proxy reports it as unavailable. */
  | { readonly kind: 'away'; readonly reason: string };

const ANSWER_WITHIN_MS = 15_000;
/** The status for too many requests, and those that a proxy returns when its server is unavailable. */
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
