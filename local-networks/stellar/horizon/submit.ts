// Submits transactions through Horizon. The synchronous path searches its own history first, so a duplicate gets the original
// result. Then it waits until the provider has read the ledger with the transaction. If that takes too long, it returns 504
// (unknown).
import type { StellarEnvelope } from '../envelope.ts';
import type { ClosedTransaction } from '../history.ts';
import {
  badRequestProblem,
  failedTransactionProblem,
  malformedTransactionProblem,
  ProblemError,
  timeoutProblem,
} from '../problems.ts';
import type { CoreAnswer } from '../queue.ts';
import { verdictXdr } from '../results.ts';
import type { HorizonJson } from './format.ts';
import type { HorizonProvider } from './provider.ts';
import { transactionRecord } from './transaction.ts';

export interface LocalHorizonAnswer {
  readonly status: number;
  readonly body: HorizonJson;
  readonly ledger?: number;
}

export function readEnvelope(provider: HorizonProvider, form: URLSearchParams): StellarEnvelope {
  const text = form.get('tx');
  if (text === null || text === '')
    throw new ProblemError(badRequestProblem('tx', 'tx: required value not present'));
  try {
    return provider.ledger.decode(text);
  } catch {
    throw new ProblemError(malformedTransactionProblem(text));
  }
}

/** Submits the envelope to the core. A fault may silently drop it. */
export function handToCore(provider: HorizonProvider, envelope: StellarEnvelope): CoreAnswer {
  const drop = provider.faults.take('drop', { url: provider.base, on: 'submit' }) !== undefined;
  provider.faults.remember(envelope);
  return provider.ledger.submit(envelope, { drop });
}

function answerClosed(
  provider: HorizonProvider,
  envelope: StellarEnvelope,
  closed: ClosedTransaction,
): LocalHorizonAnswer {
  const hash = envelope.hashHex;
  if (!closed.successful)
    throw new ProblemError(failedTransactionProblem(hash, envelope.xdr, closed.verdict));
  return { status: 200, body: transactionRecord(provider.base, closed, hash) };
}

function waitForIngestion(provider: HorizonProvider, hash: string, waitMs: number, gone: AbortSignal) {
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
  provider: HorizonProvider,
  envelope: StellarEnvelope,
  waitMs: number,
  gone: AbortSignal,
): Promise<LocalHorizonAnswer> {
  const known = provider.ingested(envelope.hashHex);
  if (known !== undefined) return answerClosed(provider, envelope, known);
  const answer = handToCore(provider, envelope);
  if (answer.status === 'ERROR') {
    throw new ProblemError(failedTransactionProblem(envelope.hashHex, envelope.xdr, answer.verdict));
  }
  // TRY_AGAIN_LATER has no separate response here. Like the real Horizon, the function waits and then returns a time-out.
  const closed = await waitForIngestion(provider, envelope.hashHex, waitMs, gone);
  if (closed === undefined) throw new ProblemError(timeoutProblem(envelope.hashHex, envelope.xdr));
  return answerClosed(provider, envelope, closed);
}

const ASYNC_STATUS = { PENDING: 201, DUPLICATE: 409, TRY_AGAIN_LATER: 503, ERROR: 400 } as const;

/** Handles POST /transactions_async, which returns the response of the core immediately. */
export function submitAsync(provider: HorizonProvider, envelope: StellarEnvelope): LocalHorizonAnswer {
  const answer = handToCore(provider, envelope);
  const body: HorizonJson = { tx_status: answer.status, hash: envelope.hashHex };
  if (answer.status === 'ERROR') body.error_result_xdr = verdictXdr(answer.verdict);
  return { status: ASYNC_STATUS[answer.status], body };
}
