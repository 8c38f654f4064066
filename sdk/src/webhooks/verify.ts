// Verifies a webhook before its body is parsed. The signature covers id, time and body, and the time must be close to the
// current time. During a rotation, a webhook has several signatures, and a handler may give several secrets.
import { invalidArgument, SliproadWebhookError } from '../errors.ts';
import type { SliproadEvent } from '../event-types.ts';
import { fromBase64, signedContent, verifierOf } from './keys.ts';

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyWebhookInput {
  /** The raw body. If you parse and serialise a body again, its signature no longer matches. */
  readonly payload: string | Uint8Array;
  readonly headers: WebhookHeaders;
  /** The endpoint's `whsec_…` secret or `whpk_…` public key. During a rotation, give several. */
  readonly secret: string | readonly string[];
  /** The maximum difference between the signed time and your clock, in both directions. */
  readonly toleranceSeconds?: number | undefined;
  /** The current time. The default is the clock of this machine. */
  readonly now?: Date | number | undefined;
}

const DEFAULT_TOLERANCE_SECONDS = 300;
/** The limit exists because a header with thousands of signatures must not keep the processor busy. */
const MOST_SIGNATURES = 20;

export async function verifyWebhook(input: VerifyWebhookInput): Promise<SliproadEvent> {
  const { payload, secret } = input;
  const bytes = bytesOf(payload);
  const { id, timestamp, signatures } = readHeaders(input.headers);
  const secrets = typeof secret === 'string' ? [secret] : (secret ?? []);
  if (secrets.length === 0)
    throw invalidArgument('secret', 'secret is missing: give the whsec_… secret of the endpoint.');
  const verifiers = await Promise.all(secrets.map(verifierOf));
  checkTime(Number(timestamp), input);
  const content = signedContent(id, timestamp, bytes);
  const checks = verifiers.flatMap(({ version, verify }) =>
    signatures.filter((each) => each.version === version).map(({ value }) => verify(value, content)),
  );
  if (!(await Promise.all(checks)).includes(true)) {
    throw wrong(
      'signature_wrong',
      'No signature matches: the secret is wrong, or the body was changed. Pass the raw body.',
    );
  }
  return parse(bytes);
}

function bytesOf(payload: unknown): Uint8Array {
  if (typeof payload === 'string') return new TextEncoder().encode(payload);
  // This does not use instanceof, because test runners create Uint8Arrays in a different realm.
  if (ArrayBuffer.isView(payload))
    return new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength);
  throw invalidArgument('payload', 'payload must be the raw body, as text or bytes, not a parsed object.');
}

interface Signed {
  readonly id: string;
  readonly timestamp: string;
  readonly signatures: readonly { readonly version: string; readonly value: Uint8Array<ArrayBuffer> }[];
}

function readHeaders(headers: WebhookHeaders): Signed {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const list = headerOf(headers, 'webhook-signature');
  if (id === '' || timestamp === '' || list === '') {
    throw wrong(
      'headers_missing',
      'webhook-id, webhook-timestamp or webhook-signature is missing. Pass on all headers.',
    );
  }
  const entries = list.split(' ').filter((each) => each !== '');
  if (id.includes('.') || !/^\d{1,12}$/.test(timestamp) || entries.length > MOST_SIGNATURES) {
    throw wrong('headers_malformed', 'A header of the webhook has a value that Sliproad does not send.');
  }
  const signatures = entries.flatMap((entry) => {
    const comma = entry.indexOf(',');
    const value = fromBase64(entry.slice(comma + 1));
    return value === undefined ? [] : [{ version: entry.slice(0, comma), value }];
  });
  return { id, timestamp, signatures };
}

/**
 * Returns an empty text if the header is absent. Node returns repeated headers as an array, or joined with a comma and a space.
 */
function headerOf(headers: WebhookHeaders, name: string): string {
  if (typeof headers !== 'object' || headers === null) {
    throw invalidArgument('headers', 'headers must be the headers of the request: Headers or an object.');
  }
  const value =
    typeof (headers as Headers).get === 'function'
      ? (headers as Headers).get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value.join(' ') : String(value ?? '');
  return text.replaceAll(', ', ' ').trim();
}

/** Refuses both the replay of an old webhook and a webhook that is signed for the future. */
function checkTime(
  timestamp: number,
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = Date.now() }: VerifyWebhookInput,
): void {
  const nowMs = Number(now);
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0) {
    throw invalidArgument(
      'toleranceSeconds',
      'toleranceSeconds must be a number of seconds, 0 or more, for example 300.',
    );
  }
  if (!Number.isFinite(nowMs))
    throw invalidArgument('now', 'now must be a Date, or milliseconds since 1970.');
  const agoSeconds = Math.floor(nowMs / 1000) - timestamp;
  const advice = 'Check the clock of this machine.';
  if (agoSeconds > toleranceSeconds) {
    throw wrong(
      'timestamp_too_old',
      `The webhook was signed ${agoSeconds} seconds ago; at most ${toleranceSeconds} are allowed. ${advice}`,
    );
  }
  if (agoSeconds < -toleranceSeconds) {
    throw wrong(
      'timestamp_too_new',
      `The webhook has a timestamp ${-agoSeconds} seconds in the future; at most ${toleranceSeconds} are allowed. ${advice}`,
    );
  }
}

function parse(bytes: Uint8Array): SliproadEvent {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof event.type === 'string' && typeof event.data === 'object') return event;
  } catch {
    // Answered below.
  }
  throw wrong('payload_malformed', 'The signature is right, but the body is not an event of Sliproad.');
}

function wrong(code: SliproadWebhookError['code'], message: string): SliproadWebhookError {
  return new SliproadWebhookError(code, message);
}
