// Makes one delivery attempt on one connection: writes the request, reads a response of limited size, and always ends at the
// time limit. The limit covers the wait for a connection, the handshake, the headers and the body.
import type { Dispatcher } from 'undici';
import type { WebhookOutcome } from '../../ports/webhooks.ts';
import { answerText, KEPT_BYTES, retryAfterMs } from './answer.ts';
import { type AttemptFailure, failureOf, failureWith } from './problems.ts';

const MOST_ANSWER_BYTES = 65_536;
/** The interim statuses 102 and 103 may come before a response, but at most this many times. */
const MOST_EARLY_ANSWERS = 8;

export interface AttemptRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface AttemptLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export function attemptDelivery(
  pool: Dispatcher,
  { path, headers, body }: AttemptRequest,
  limits: AttemptLimits,
): Promise<WebhookOutcome> {
  return new Promise((resolve) => {
    const handler = new AttemptHandler(limits, resolve);
    // A request that is stopped before it is dispatched is never written to the connection.
    if (!handler.hasEnded) pool.dispatch({ method: 'POST', path, headers: { ...headers }, body }, handler);
  });
}

type AttemptEnding = AttemptFailure | Omit<Extract<WebhookOutcome, { kind: 'answered' }>, 'durationMs'>;

class AttemptHandler implements Dispatcher.DispatchHandler {
  hasEnded = false;
  readonly #startedMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (outcome: WebhookOutcome) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #earlyAnswers = 0;
  #retryAfterMs: number | null = null;
  readonly #kept: Buffer[] = [];
  #readBytes = 0;

  constructor({ timeoutMs, signal }: AttemptLimits, resolve: (outcome: WebhookOutcome) => void) {
    this.#resolve = resolve;
    this.#signal = signal;
    this.#timer = setTimeout(() => this.#stop(failureWith('timeout', `${timeoutMs} ms`)), timeoutMs);
    signal?.addEventListener('abort', this.#onAbort);
    if (signal?.aborted) this.#onAbort();
  }

  readonly #onAbort = (): void => this.#stop(failureWith('connection', 'stopped by the service'));

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.hasEnded) controller.abort(new Error('the attempt has ended'));
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) {
      this.#earlyAnswers += 1;
      if (this.#earlyAnswers > MOST_EARLY_ANSWERS) this.#stop(failureWith('protocol'));
      return;
    }
    this.#status = status;
    this.#retryAfterMs = retryAfterMs(headers['retry-after'], Date.now());
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#readBytes < KEPT_BYTES) this.#kept.push(chunk.subarray(0, KEPT_BYTES - this.#readBytes));
    this.#readBytes += chunk.length;
    // The endpoint has responded, and the rest of the body is not needed.
    if (this.#readBytes > MOST_ANSWER_BYTES) this.#stop(this.#answered());
  }

  onResponseEnd(): void {
    this.#end(this.#answered());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(failureOf(error));
  }

  #answered(): AttemptEnding {
    return {
      kind: 'answered',
      status: this.#status,
      retryAfterMs: this.#retryAfterMs,
      answer: answerText(this.#kept),
    };
  }

  #stop(ending: AttemptEnding): void {
    this.#end(ending);
    this.#controller?.abort(new Error('the attempt has ended'));
  }

  #end(ending: AttemptEnding): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#resolve({ ...ending, durationMs: Math.round(performance.now() - this.#startedMs) });
  }
}
