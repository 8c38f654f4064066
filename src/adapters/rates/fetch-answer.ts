// Opens a source that RATES_FILE describes, and sends its requests: one overall time limit, a maximum answer size, no redirects. A
// failure becomes a SourceFailure that contains only the host, because the path, the query and the headers may contain keys.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Agent, type Dispatcher, errors, request } from 'undici';
import type { Clock } from '../../ports/clock.ts';
import { type RateSource, SourceFailure } from '../../ports/rates.ts';
import type { SourceSettings } from './settings/source-row.ts';
import type { SourceAnswer } from './source-kind.ts';

export interface SourceQuestion {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly mostBytes: number;
}

const MOST_HEADER_BYTES = 16_384;
const unzip = promisify(gunzip);

export async function fetchAnswer(
  question: SourceQuestion,
  clock: Clock,
  stop: AbortSignal,
): Promise<SourceAnswer> {
  const { url, headers, timeoutMs } = question;
  const late = AbortSignal.timeout(timeoutMs);
  const agent = new Agent({
    connect: { timeout: timeoutMs },
    // The abort signal is the only time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MOST_HEADER_BYTES,
    allowH2: false,
  });
  try {
    const askedAtMs = clock.now();
    const answer = await request(url, {
      dispatcher: agent,
      signal: AbortSignal.any([stop, late]),
      headers: { accept: 'application/json', 'accept-encoding': 'gzip', ...headers },
    });
    checkHead(answer, question);
    const text = decodeUtf8(await bytesOf(answer, question));
    return { text, askedAtMs, ...datesOf(answer.headers) };
  } catch (error) {
    if (error instanceof SourceFailure) throw error;
    if (stop.aborted) throw new SourceFailure('unreachable', 'The reading was stopped.');
    const host = hostOf(url);
    if (late.aborted)
      throw new SourceFailure('unreachable', `${host} did not answer within ${timeoutMs} ms.`);
    throw failureOf(host, error);
  } finally {
    await agent.destroy();
  }
}

const hostOf = (url: string): string => new URL(url).host;

function checkHead(
  { statusCode, headers }: Dispatcher.ResponseData,
  { url, mostBytes }: SourceQuestion,
): void {
  const refuse = (what: string) =>
    new SourceFailure('refused', `${hostOf(url)} answers with status ${statusCode}${what}.`);
  if (statusCode >= 300 && statusCode < 400)
    throw refuse(', a redirect, which is not followed: correct the URL in RATES_FILE');
  if (statusCode === 429) throw refuse(': it is asked too often');
  if (statusCode !== 200) throw refuse('');
  const type = headerOf(headers, 'content-type').split(';')[0]!.trim().toLowerCase();
  if (type === 'text/html' || /[/+]xml$/.test(type))
    throw new SourceFailure('unreadable', `${hostOf(url)} answers with ${type}, not with JSON.`);
  if (Number(headerOf(headers, 'content-length')) > mostBytes) throw tooLargeFailure(mostBytes);
}

async function bytesOf(
  { headers, body }: Dispatcher.ResponseData,
  { mostBytes }: SourceQuestion,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let readBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    readBytes += chunk.length;
    if (readBytes > mostBytes) throw tooLargeFailure(mostBytes);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const encoding = headerOf(headers, 'content-encoding').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return bytes;
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw new SourceFailure('unreadable', 'The answer is compressed in a way that was not asked for.');
  try {
    return await unzip(bytes, { maxOutputLength: mostBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLargeFailure(mostBytes);
    throw new SourceFailure('unreadable', 'The answer cannot be decompressed.');
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SourceFailure('unreadable', 'The answer is not text in UTF-8.');
  }
}

function tooLargeFailure(mostBytes: number): SourceFailure {
  return new SourceFailure('unreadable', `The answer has more than ${mostBytes} bytes.`);
}

function datesOf(headers: Dispatcher.ResponseData['headers']): Pick<SourceAnswer, 'datedMs' | 'cachedForMs'> {
  const datedMs = Date.parse(headerOf(headers, 'date'));
  const age = headerOf(headers, 'age').trim();
  return {
    datedMs: Number.isNaN(datedMs) ? null : datedMs,
    cachedForMs: /^\d{1,9}$/.test(age) ? Number(age) * 1_000 : 0,
  };
}

function headerOf(headers: Dispatcher.ResponseData['headers'], name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

function failureOf(host: string, error: unknown): SourceFailure {
  const code = codeOf(error);
  const isClosed = /\bEOF\b/.test((error as Partial<Error>).message ?? '');
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || (error instanceof errors.HTTPParserError && !isClosed))
    return new SourceFailure('unreadable', `${host} does not answer with valid HTTP.`);
  return new SourceFailure('unreachable', `${host} cannot be reached${code === '' ? '' : ` (${code})`}.`);
}

/** Returns only the code of an error, because the message of a library may contain addresses. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : '';
}

export interface SourceDeps {
  readonly clock: Clock;
  /** The value of the `user-agent` header, unless the settings contain another value. */
  readonly userAgent: string;
}

/** Opening makes no call. */
export function openSource(settings: SourceSettings, { clock, userAgent }: SourceDeps): RateSource {
  const { name, kindName, kind, url, everyMs, ageLimitMs, timeoutMs, mostBytes } = settings;
  return {
    name,
    kind: kindName,
    everyMs,
    timeoutMs,
    ageLimitMs,
    read: async (signal) => {
      const headers = { 'user-agent': userAgent, ...settings.headers() };
      return kind.parse(await fetchAnswer({ url, headers, timeoutMs, mostBytes }, clock, signal));
    },
  };
}
