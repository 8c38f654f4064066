// Starts local banks for tests: in a separate directory, with a clock that the test controls, a receiver of webhooks, and calls
// with a short time-out.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterFile } from '../test/support/sharing/file-group.ts';
import { listenLocally, readRequest, sendAnswer } from './http/server.ts';
import { startLocalBanks } from './start.ts';

/** Long enough for a busy machine. A test of a time-out uses a shorter one. */
const PATIENCE_MS = 10_000;

interface TestCall {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly patienceMs?: number;
}

export async function callBank(url: string, given: TestCall = {}) {
  const { method = 'GET', body, headers = {}, patienceMs = PATIENCE_MS } = given;
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    signal: AbortSignal.timeout(patienceMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  return { status: response.status, text, json: (isJson ? JSON.parse(text) : {}) as Record<string, unknown> };
}

/** Stores the received requests, and returns the prepared responses in order. Without a prepared response it returns `{}`. */
async function startReceiver() {
  const received: Awaited<ReturnType<typeof readRequest>>[] = [];
  const answers: unknown[] = [];
  const server = await listenLocally(async (incoming, response) => {
    received.push(await readRequest(incoming));
    sendAnswer(response, { status: 200, body: answers.shift() ?? {} });
  }, 0);
  return { ...server, received, answers };
}

export async function makeBankTestStage(dir = mkdtempSync(path.join(tmpdir(), 'sliproad-banks-'))) {
  let now = Date.parse('2026-11-16T10:00:00Z');
  const clock = {
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
  };
  const banks = await startLocalBanks({ dir, now: () => now });
  const receiver = await startReceiver();
  const close = async () => {
    await banks.close();
    await receiver.close();
  };
  let closed: Promise<void> | undefined;
  const stop = () => {
    closed ??= close();
    return closed;
  };
  const end = async () => {
    await stop();
    rmSync(dir, { recursive: true, force: true });
  };
  // A failing test does not reach its own call of `end`, so `end` also runs after the file.
  afterFile(end);
  return { dir, clock, banks, call: callBank, receiver, stop, end };
}
