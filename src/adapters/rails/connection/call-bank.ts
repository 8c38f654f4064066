// Makes one call to a bank: one time limit for the whole call, a maximum size of the response, no redirects, and a separate
// connection. A failure is an outcome that contains only the host, because paths, headers and bodies contain keys and names.
// `not_sent` means that no byte of the request was sent.
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { readJson } from '../../json.ts';

export interface BankCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface CallLimits {
  readonly timeoutMs: number;
  readonly mostBytes: number;
}

/** Returns one time limit that all calls of an operation share. Each call gets the time that is left when the call begins. */
export function shareTimeLimit({ timeoutMs, mostBytes }: CallLimits): CallLimits {
  const endMs = performance.now() + timeoutMs;
  return {
    mostBytes,
    get timeoutMs() {
      return Math.max(0, Math.floor(endMs - performance.now()));
    },
  };
}

/**
 * Whether enough time is left to send an order. If a call with an order is cut off early, the outcome of the order is unknown.
 */
export function hasTimeForOrder(left: CallLimits, whole: CallLimits): boolean {
  return left.timeoutMs >= whole.timeoutMs / 2;
}

export type BankAnswer = {
  readonly kind: 'answer';
  /** The HTTP status is from 200 to 499, but never a redirect, 408, 425 or 429. */
  readonly status: number;
  readonly json: unknown;
};

export type NoAnswer =
  /** No connection was made, so no part of the request was sent. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** The bank may have received the request and executed it. */
  | { readonly kind: 'lost'; readonly reason: string };

const MOST_HEADER_BYTES = 16_384;

export async function callBank(
  { method, url, headers, body }: BankCall,
  limits: CallLimits,
): Promise<BankAnswer | NoAnswer> {
  const { timeoutMs, mostBytes } = limits;
  const late = AbortSignal.timeout(timeoutMs);
  const connection = openConnection(timeoutMs);
  const { host } = new URL(url);
  try {
    const answer = await request(url, {
      dispatcher: connection.agent,
      signal: late,
      method,
      headers: { accept: 'application/json', ...(body !== undefined && JSON_BODY), ...headers },
      ...(body !== undefined && { body }),
    });
    return await readBankAnswer(answer, host, mostBytes);
  } catch (error) {
    if (late.aborted) return failedCall(connection, `${host} did not answer within ${timeoutMs} ms`);
    return failedCall(connection, `${host}: ${codeOf(error)}`);
  } finally {
    await connection.agent.destroy();
  }
}

const JSON_BODY = { 'content-type': 'application/json' };

interface SingleConnection {
  readonly agent: Agent;
  made: boolean;
}

/** Each connection is used once. After a failure on a reused connection, it would be unknown whether the request was sent. */
function openConnection(timeoutMs: number): SingleConnection {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false });
  const agent = new Agent({
    // The other time limits are turned off, because the abort signal is the only time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MOST_HEADER_BYTES,
    allowH2: false,
    connect: (options, callback) =>
      connect(options, (...result) => {
        if (result[0] === null) connection.made = true;
        callback(...result);
      }),
  });
  const connection: SingleConnection = { agent, made: false };
  return connection;
}

function failedCall({ made }: SingleConnection, reason: string): NoAnswer {
  return made ? lostAnswer(reason) : { kind: 'not_sent', reason: `no connection: ${reason}` };
}

export function lostAnswer(reason: string): NoAnswer {
  return { kind: 'lost', reason };
}

async function readBankAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  host: string,
  mostBytes: number,
): Promise<BankAnswer | NoAnswer> {
  if (statusCode >= 300 && statusCode < 400)
    return lostAnswer(`${host} answers with status ${statusCode}, a redirect, which is not followed`);
  if (statusCode >= 500 || TRY_LATER.has(statusCode))
    return lostAnswer(`${host} answers with status ${statusCode}`);
  if (Number(headers['content-length']) > mostBytes) return lostAnswer(`${host} answers with too many bytes`);
  const chunks: Buffer[] = [];
  let readBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    readBytes += chunk.length;
    if (readBytes > mostBytes) return lostAnswer(`${host} answers with too many bytes`);
    chunks.push(chunk);
  }
  const json = readJson(Buffer.concat(chunks));
  if (json === undefined)
    return lostAnswer(
      `${host} answers with status ${statusCode}, but without valid JSON or with a field twice`,
    );
  return { kind: 'answer', status: statusCode, json };
}

/**
 * The HTTP statuses for a time-out, a too early request, and too many requests. A proxy in front of the bank may return these,
 * so they prove nothing.
 */
const TRY_LATER = new Set([408, 425, 429]);

/** Returns only the code of an error, because the message of a library may contain addresses. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'the connection failed';
}
