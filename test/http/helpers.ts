// Contains helpers of the HTTP tests: exact checks of refusals, counts of stored rows, and raw connections.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import pino from 'pino';
import { readConfig } from '../../src/config.ts';
import { openService } from '../../src/wire.ts';
import { databaseTimeoutMs, until } from '../support/patience.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';
import { type Answer, buyBody, type TestBusiness, type TestService } from '../support/service.ts';
import { afterFile } from '../support/sharing/file-group.ts';

export const ONRAMP = '/transactions/v1/onramp';
export const OFFRAMP = '/transactions/v1/offramp';

/** Checks the common error body exactly. The codes of its field errors are written as `field: code`. */
export function assertRefused(
  answer: Pick<Answer, 'status' | 'headers' | 'body'>,
  status: number,
  code: string,
  fieldErrors?: readonly string[],
): void {
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.body?.message);
  assert.deepEqual(Object.keys(answer.body), ['status', 'message', 'code', 'errors', 'request_id']);
  assert.equal(answer.body.status, 'error');
  assert.match(answer.body.message, /^[^\n]{5,400}$/);
  assert.match(answer.body.request_id, /^req_[0-9a-z]{14,}$/);
  assert.equal(answer.headers.get('request-id'), answer.body.request_id);
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  for (const error of answer.body.errors) assert.deepEqual(Object.keys(error), ['field', 'code', 'message']);
  if (answer.body.errors.length > 0) assert.equal(answer.body.errors[0].code, code);
  if (fieldErrors !== undefined) assert.deepEqual(fieldErrorsOf(answer), fieldErrors);
}

export function fieldErrorsOf(answer: Pick<Answer, 'body'>): string[] {
  return answer.body.errors.map((error: { field: string; code: string }) => `${error.field}: ${error.code}`);
}

const TABLES = [
  'transactions',
  'transaction_states',
  'open_claims',
  'timeline',
  'idempotency_keys',
  'deposit_targets',
] as const;

export async function countRows(service: TestService, table: (typeof TABLES)[number]): Promise<number> {
  // The count leaves out the transactions of test files that used the service earlier, because these may still change.
  const own = 'select from transactions where id = transaction_id and business_id <> all ($1)';
  const where = table === 'transactions' ? 'business_id <> all ($1)' : `exists (${own})`;
  const { rows } = await service.foundation.database.query<{ count: number }>({
    text: `select count(*)::int as count from ${table} where ${where}`,
    values: [service.ofOthers],
  });
  return rows[0]!.count;
}

export async function storingNothing<T>(service: TestService, work: () => Promise<T>): Promise<T> {
  const counts = () => Promise.all(TABLES.map((table) => countRows(service, table)));
  const before = await counts();
  const result = await work();
  assert.deepEqual(await counts(), before, 'a refused request was stored');
  return result;
}

export async function storedTransaction(service: TestService, id: string): Promise<Record<string, unknown>> {
  const { rows } = await service.foundation.database.query<Record<string, unknown>>({
    text: 'select * from transactions join transaction_states on transaction_id = id where id = $1',
    values: [id],
  });
  assert.equal(rows.length, 1, `${id} is not stored`);
  return rows[0]!;
}

export function buyText(
  business: TestBusiness,
  amountText: string,
  changes: Record<string, unknown> = {},
): string {
  const marker = 424_242;
  return JSON.stringify(buyBody(business, { ...changes, amount: marker })).replace(`${marker}`, amountText);
}

export async function send(
  service: TestService,
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: Uint8Array<ArrayBuffer>; key?: string | null } = {},
): Promise<Answer> {
  const key = options.key === undefined ? service.business.testKey : options.key;
  const response = await fetch(`${service.baseUrl}${path}`, {
    method,
    headers: { ...(key !== null && { 'svc-sec-key': key }), ...options.headers },
    ...(options.body !== undefined && { body: options.body }),
  });
  const text = await response.text();
  const body = text.startsWith('{') ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, body };
}

export function rawExchange(baseUrl: string, bytes: string | readonly string[]): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      for (const part of [bytes].flat()) socket.write(part);
    });
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
  });
}

export function parseRawAnswer(text: string): Pick<Answer, 'status' | 'headers' | 'body'> {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/:\s*/, 2) as [string, string]));
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]),
    headers,
    body: JSON.parse(body),
  };
}

export async function eventually(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
  await until(what, check, { everyMs: 10 });
}

export async function startAnother(
  service: TestService,
  settings: Record<string, string> = {},
): Promise<{ baseUrl: string }> {
  const log = pino({ level: 'silent' });
  const another = await openService(
    readConfig({
      ...{ ...SECRETS_KEY, DATABASE_TIMEOUT_MS: String(databaseTimeoutMs()) },
      ...{ ...settings, DATABASE_URL: service.databaseUrl },
    }),
    { logger: log, plain: log },
  );
  afterFile(() => another.close());
  return { baseUrl: await another.servers.main.listen({ host: '127.0.0.1', port: 0 }) };
}
