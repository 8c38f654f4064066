// The faults that every rate server can produce. This file applies transport faults to any response. Content faults change a
// price, a time or a field before the response is written. A server refuses a fault that it cannot produce.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Answer, blockedPage, gatewayPage, maintenancePage, tooManyPage } from './pages.ts';

export const TRANSPORT_FAULTS = [
  /** The server sends nothing for `slowMs`, and then the normal response. */
  'slow_headers',
  'drip',
  'reset',
  /** The server responds with status 403, 429 with retry-after, 500 or 502, according to `status` in the detail. */
  'status',
  /** The server responds with status 302 to `location`, or to a path of this server that returns the normal response. */
  'redirect',
  'truncated',
  'huge',
  'not_json',
  'empty',
  /** The server compresses the normal response if the client accepts that. */
  'gzip',
] as const;

export const PRICE_FAULTS = ['zero', 'negative', 'times_ten', 'times_hundred', 'swapped'] as const;

export const TIME_FAULTS = ['stale', 'future'] as const;

export const FIELD_FAULTS = [
  'missing',
  'null',
  /** A field that is documented as a number is a string, or the reverse. */
  'number_as_string',
  'string_as_number',
] as const;

export type FaultKind =
  | (typeof TRANSPORT_FAULTS)[number]
  | (typeof PRICE_FAULTS)[number]
  | (typeof TIME_FAULTS)[number]
  | (typeof FIELD_FAULTS)[number];

export interface FaultDetail {
  readonly status?: 403 | 429 | 500 | 502;
  /** The header retry-after, in seconds or as a date. */
  readonly retryAfter?: string;
  readonly location?: string;
  /**
   * The field that `missing`, `null` and the type faults affect, as the server's README names it. Without it, they affect all
   * fields that contain the price.
   */
  readonly field?: string;
  readonly currencies?: readonly string[];
  /** The time difference for `stale` and `future`. */
  readonly byMs?: number;
}

export interface Fault extends FaultDetail {
  readonly kind: FaultKind;
}

export function faultyPrice(fault: Fault | null, price: number): number {
  switch (fault?.kind) {
    case 'zero':
      return 0;
    case 'negative':
      return -price;
    case 'times_ten':
      return price * 10;
    case 'times_hundred':
      return price * 100;
    case 'swapped':
      return 1 / price;
    default:
      return price;
  }
}

export function faultyTime(fault: Fault | null, atMs: number, nowMs: number, usualMs: number): number {
  const byMs = fault?.byMs ?? usualMs;
  if (fault?.kind === 'stale') return atMs - byMs;
  if (fault?.kind === 'future') return nowMs + byMs;
  return atMs;
}

type Fields = Record<string, unknown>;

/** Changes the named fields (such as `data.ticker.last`) of a document that has not been sent yet. */
export function spoilFields(fault: Fault | null, document: Fields, usual: readonly string[]): void {
  if (fault === null) return;
  for (const field of fault.field === undefined ? usual : [fault.field]) {
    const path = field.split('.');
    const last = path.pop() ?? '';
    const owner = path.reduce<Fields>((at, name) => at[name] as Fields, document);
    if (fault.kind === 'missing') delete owner[last];
    else if (fault.kind === 'null') owner[last] = null;
    else if (fault.kind === 'number_as_string') owner[last] = String(owner[last]);
    else if (fault.kind === 'string_as_number') owner[last] = Number(owner[last]);
  }
}

export interface Timing {
  readonly slowMs: number;
  readonly dripMs: number;
}

const FILLER = Buffer.alloc(64 * 1024, ' ');

export function send(
  fault: Fault | null,
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  { slowMs, dripMs }: Timing,
): void {
  const body = Buffer.from(answer.body);
  const headers = { 'content-type': answer.type ?? 'application/json; charset=utf-8', ...answer.headers };
  const whole = (bytes: Buffer, more: Record<string, string> = {}) =>
    response.writeHead(answer.status, { ...headers, ...more, 'content-length': bytes.length }).end(bytes);
  switch (fault?.kind) {
    case 'slow_headers':
      later(response, slowMs, () => whole(body));
      break;
    case 'drip':
      response.writeHead(answer.status, { ...headers, 'content-length': body.length }).flushHeaders();
      drip(response, body, dripMs);
      break;
    case 'reset':
      response.writeHead(answer.status, { ...headers, 'content-length': body.length });
      response.write(body.subarray(0, body.length / 2), () => request.socket.resetAndDestroy());
      break;
    case 'truncated':
      response.writeHead(answer.status, headers).end(body.subarray(0, body.length / 2));
      break;
    case 'huge':
      response.writeHead(answer.status, headers).write(body);
      pour(response);
      break;
    case 'empty':
      whole(Buffer.alloc(0));
      break;
    case 'gzip':
      if (/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')))
        whole(gzipSync(body), { 'content-encoding': 'gzip', vary: 'accept-encoding' });
      else whole(body);
      break;
    default:
      whole(body);
  }
}

function later(response: ServerResponse, delayMs: number, act: () => void): void {
  const timer = setTimeout(act, delayMs);
  response.on('close', () => clearTimeout(timer));
}

function drip(response: ServerResponse, body: Buffer, dripMs: number): void {
  let sent = 0;
  const timer = setInterval(() => {
    response.write(body.subarray(sent, sent + 1));
    sent += 1;
    if (sent < body.length) return;
    clearInterval(timer);
    response.end();
  }, dripMs);
  response.on('close', () => clearInterval(timer));
}

function pour(response: ServerResponse): void {
  if (response.destroyed) return;
  if (response.write(FILLER)) setImmediate(pour, response);
  else response.once('drain', () => pour(response));
}

/** Returns the response that replaces the normal one; null if the fault does not change it. */
export function otherAnswer(fault: Fault | null, url: string, ownError: Answer | null): Answer | null {
  if (fault?.kind === 'not_json') return { status: 200, type: 'text/html', body: maintenancePage() };
  if (fault?.kind === 'redirect')
    return {
      status: 302,
      type: 'text/html',
      headers: { location: fault.location ?? `/moved${url}` },
      body: '',
    };
  if (fault?.kind !== 'status') return null;
  switch (fault.status ?? 500) {
    case 403:
      return blockedPage();
    case 429:
      return tooManyPage({ 'retry-after': fault.retryAfter ?? '120' });
    case 502:
      return gatewayPage();
    case 500:
      return ownError ?? { status: 500, type: 'text/html', body: '<h1>Server Error in / Application.</h1>' };
  }
}
