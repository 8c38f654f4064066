// Signs events as the service does, so that you can test your own handler without a service.

import type { EventType } from '../api-words.ts';
import { invalidArgument } from '../errors.ts';
import { signedContent, signerOf } from './keys.ts';
import { testEvent } from './test-event.ts';

export interface SignTestEventInput {
  /**
   * A secret such as `whsec_…` (HMAC) or `whsk_…` (ed25519). Several secrets create several signatures, as during a rotation.
   */
  readonly secret: string | readonly string[];
  readonly type: EventType;
  /** Data that replaces the example data. */
  readonly data?: object | undefined;
  readonly id?: string | undefined;
  /** The time of the signature. The default is now. */
  readonly timestamp?: Date | undefined;
}

export interface SignedWebhook {
  readonly payload: string;
  readonly headers: {
    readonly 'content-type': string;
    readonly 'webhook-id': string;
    readonly 'webhook-timestamp': string;
    readonly 'webhook-signature': string;
  };
}

export async function signTestEvent(input: SignTestEventInput): Promise<SignedWebhook> {
  const { secret, type, data, id, timestamp = new Date() } = input;
  const secrets = typeof secret === 'string' ? [secret] : (secret ?? []);
  if (secrets.length === 0)
    throw invalidArgument('secret', 'secret is missing: give the whsec_… secret that your handler uses.');
  const event = testEvent(type, { data, id, timestamp });
  const payload = JSON.stringify(event);
  const seconds = String(Math.floor(timestamp.getTime() / 1000));
  const content = signedContent(event.id, seconds, new TextEncoder().encode(payload));
  const signers = await Promise.all(secrets.map(signerOf));
  const signatures = await Promise.all(signers.map((each) => each.sign(content)));
  return {
    payload,
    headers: {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': seconds,
      'webhook-signature': signatures.join(' '),
    },
  };
}
