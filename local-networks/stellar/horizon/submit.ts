// Submitting through Horizon. The synchronous way looks in its own history first, so a duplicate gets the original
// result; then it waits until the provider has ingested the transaction, and answers 504 (unknown) when that takes too long.
import type { Envelope } from '../envelope.ts';
import type { ClosedTransaction } from '../history.ts';
import { badRequest, failedTransaction, malformedTransaction, ProblemError, timeout } from '../problems.ts';
import type { CoreAnswer } from '../queue.ts';
import { verdictXdr } from '../results.ts';
import type { Json } from './format.ts';
import type { Provider } from './provider.ts';
import { transactionRecord } from './transaction.ts';

export interface Answer {
  readonly status: number;
  readonly body: Json;
  /** The ledger it is of, where the real one says so. */
  readonly ledger?: number;
}

export function readEnvelope(provider: Provider, form: URLSearchParams): Envelope {
  const text = form.get('tx');
  if (text === null || text === '')
    throw new ProblemError(badRequest('tx', 'tx: required value not present'));
  try {
    return provider.ledger.decode(text);
  } catch {
    throw new ProblemError(malformedTransaction(text));
  }
}

/** Hands the envelope to the core; a fault may lose it on the way without a word. */
export function handToCore(provider: Provider, envelope: Envelope): CoreAnswer {
  const drop = provider.faults.take('drop', { url: provider.base, on: 'submit' }) !== undefined;
  provider.faults.remember(envelope);
  return provider.ledger.submit(envelope, { drop });
}

function closedAnswer(provider: Provider, envelope: Envelope, closed: ClosedTransaction): Answer {
  const hash = envelope.hashHex;
  if (!closed.successful) throw new ProblemError(failedTransaction(hash, envelope.xdr, closed.verdict));
  return { status: 200, body: transactionRecord(provider.base, closed, hash) };
}

function ingestion(provider: Provider, hash: string, waitMs: number, gone: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<ClosedTransaction | undefined>();
  const stopListening = provider.ledger.onClose(() => {
    const closed = provider.ingested(hash);
    if (closed !== undefined) finish(closed);
  });
  const giveUp = () => finish(undefined);
  const timer = setTimeout(giveUp, waitMs);
  gone.addEventListener('abort', giveUp);
  function finish(closed: ClosedTransaction | undefined) {
    clearTimeout(timer);
    stopListening();
    gone.removeEventListener('abort', giveUp);
    resolve(closed);
  }
  return promise;
}

/** POST /transactions */
export async function submitAndWait(
  provider: Provider,
  envelope: Envelope,
  waitMs: number,
  gone: AbortSignal,
): Promise<Answer> {
  const known = provider.ingested(envelope.hashHex);
  if (known !== undefined) return closedAnswer(provider, envelope, known);
  const answer = handToCore(provider, envelope);
  if (answer.status === 'ERROR') {
    throw new ProblemError(failedTransaction(envelope.hashHex, envelope.xdr, answer.verdict));
  }
  // TRY_AGAIN_LATER gets no answer of its own here: like the real one, this waits in vain and then answers a timeout.
  const closed = await ingestion(provider, envelope.hashHex, waitMs, gone);
  if (closed === undefined) throw new ProblemError(timeout(envelope.hashHex, envelope.xdr));
  return closedAnswer(provider, envelope, closed);
}

const ASYNC_STATUS = { PENDING: 201, DUPLICATE: 409, TRY_AGAIN_LATER: 503, ERROR: 400 } as const;

/** POST /transactions_async: what the core says, at once. */
export function submitAsync(provider: Provider, envelope: Envelope): Answer {
  const answer = handToCore(provider, envelope);
  const body: Json = { tx_status: answer.status, hash: envelope.hashHex };
  if (answer.status === 'ERROR') body.error_result_xdr = verdictXdr(answer.verdict);
  return { status: ASYNC_STATUS[answer.status], body };
}
