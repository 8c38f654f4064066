// The transaction routes. Each route parses its request, calls one use-case and renders the response.
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Static } from 'typebox';
import { refuseOtherBusiness } from '../../app/input/caller.ts';
import type { AcceptedTransaction } from '../../app/intake/accept-transaction.ts';
import { cancelTransaction } from '../../app/intake/change-transaction.ts';
import { type DetailDeps, EMPTY_DETAILS, readWithDetails } from '../../app/intake/read-details.ts';
import { readTimeline } from '../../app/intake/read-timeline.ts';
import { listTransactions, readTransaction } from '../../app/intake/read-transactions.ts';
import { setWallet } from '../../app/intake/set-wallet.ts';
import type { Submission, SubmissionDeps } from '../../app/intake/submission.ts';
import { submitBuy } from '../../app/intake/submit-buy.ts';
import { submitSell } from '../../app/intake/submit-sell.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Networks } from '../../ports/networks/network.ts';
import type { Store } from '../../ports/store/store.ts';
import { sendRefusal } from '../errors.ts';
import type { OfframpBody, OnrampBody, WalletBody } from '../reference/schemas.ts';
import { amountTextOf, callerOf, idempotencyKeyOf, scenarioHeaderOf } from '../requests/request-context.ts';
import { renderDetailedTransaction, renderTimelineLine } from './render-transaction.ts';
import {
  cancelTransactionDocs,
  listTransactionsDocs,
  offrampDocs,
  onrampDocs,
  readTransactionDocs,
  setWalletDocs,
  timelineDocs,
} from './transaction-docs.ts';

interface AnswerDeps extends DetailDeps {
  readonly networks: Networks;
}

type CreateTransactionDeps = SubmissionDeps & AnswerDeps;

export interface TransactionRouteDeps extends AnswerDeps {
  readonly authenticate: onRequestHookHandler;
  readonly buy: CreateTransactionDeps;
  readonly sell: CreateTransactionDeps;
  readonly store: Store;
  readonly clock: Clock;
}

export function addTransactionRoutes(app: FastifyInstance, deps: TransactionRouteDeps): void {
  addOnramp(app, '/transactions/v1/onramp', deps.authenticate, deps.buy);
  addOfframp(app, deps);
  addReads(app, deps);
  addChanges(app, deps);
}

/** The path is a parameter, so that a benchmark can add the same route for other stores. */
export function addOnramp(
  app: FastifyInstance,
  path: string,
  authenticate: onRequestHookHandler,
  deps: CreateTransactionDeps,
): void {
  app.post<{ Body: Static<typeof OnrampBody> }>(
    path,
    { onRequest: authenticate, schema: onrampDocs },
    async (request, reply) => {
      const submission = submissionOf(request, request.body);
      if (!submission.ok) return sendRefusal(reply, submission.error);
      return answerCreated(reply, await submitBuy(deps, submission.value), 'Buy transaction accepted.', deps);
    },
  );
}

function addOfframp(app: FastifyInstance, deps: TransactionRouteDeps): void {
  app.post<{ Body: Static<typeof OfframpBody> }>(
    '/transactions/v1/offramp',
    { onRequest: deps.authenticate, schema: offrampDocs },
    async (request, reply) => {
      const submission = submissionOf(request, request.body);
      if (!submission.ok) return sendRefusal(reply, submission.error);
      const result = await submitSell(deps.sell, submission.value);
      return answerCreated(reply, result, 'Sell transaction accepted.', deps);
    },
  );
}

/** Returns the submission in a request, or a refusal if Idempotency-Key or svc-scenario is invalid. */
function submissionOf<Body extends { business_id: string; link_tag: string }>(
  request: FastifyRequest,
  body: Body,
): Result<Submission<Body>, Refusal> {
  const key = idempotencyKeyOf(request);
  if (!key.ok) return fail(refuseOtherBusiness(callerOf(request), body) ?? key.error);
  const scenario = scenarioHeaderOf(request);
  if (!scenario.ok) return fail(refuseOtherBusiness(callerOf(request), body) ?? scenario.error);
  return ok({
    caller: callerOf(request),
    scenario: scenario.value,
    body,
    amountText: amountTextOf(request),
    idempotencyKey: key.value,
  });
}

function addReads(app: FastifyInstance, deps: TransactionRouteDeps): void {
  app.get<{ Params: { transaction_id: string } }>(
    '/transactions/v1/:transaction_id',
    { onRequest: deps.authenticate, schema: readTransactionDocs },
    async (request, reply) => {
      const result = await readTransaction(deps.store, callerOf(request), request.params.transaction_id);
      if (!result.ok) return sendRefusal(reply, result.error);
      return successBody('Transaction found.', { transaction: await renderWithDetails(deps, result.value) });
    },
  );
  app.get<{ Params: { transaction_id: string } }>(
    '/transactions/v1/:transaction_id/timeline',
    { onRequest: deps.authenticate, schema: timelineDocs },
    async (request, reply) => {
      const result = await readTimeline(deps.store, callerOf(request), request.params.transaction_id);
      if (!result.ok) return sendRefusal(reply, result.error);
      return successBody('Oldest first.', { timeline: result.value.map(renderTimelineLine) });
    },
  );
  app.get<{ Querystring: Record<string, unknown> }>(
    '/transactions/v1',
    { onRequest: deps.authenticate, schema: listTransactionsDocs },
    async (request, reply) => {
      const result = await listTransactions(deps.store, callerOf(request), request.query);
      if (!result.ok) return sendRefusal(reply, result.error);
      const { transactions, nextCursor } = result.value;
      return successBody('Transactions, newest first.', {
        transactions: (await readWithDetails(deps, transactions)).map((each) =>
          renderDetailedTransaction(each, deps.networks),
        ),
        next_cursor: nextCursor,
      });
    },
  );
}

function addChanges(app: FastifyInstance, deps: TransactionRouteDeps): void {
  app.put<{ Params: { transaction_id: string }; Body: Static<typeof WalletBody> }>(
    '/transactions/v1/:transaction_id/wallet',
    { onRequest: deps.authenticate, schema: setWalletDocs },
    async (request, reply) => {
      const { transaction_id: transactionId } = request.params;
      const caller = callerOf(request);
      const result = await setWallet(deps, { caller, transactionId, body: request.body });
      return answerChanged(reply, result, 'Wallet set.', deps);
    },
  );
  app.post<{ Params: { transaction_id: string } }>(
    '/transactions/v1/:transaction_id/cancel',
    { onRequest: deps.authenticate, schema: cancelTransactionDocs },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const result = await cancelTransaction(deps, {
        caller: callerOf(request),
        transactionId: request.params.transaction_id,
        idempotencyKey: key.value,
      });
      return answerChanged(reply, result, 'Transaction cancelled.', deps);
    },
  );
}

/** A new transaction has no money yet, so its response needs no further reads. */
function answerCreated(
  reply: FastifyReply,
  result: Result<AcceptedTransaction, Refusal>,
  message: string,
  deps: AnswerDeps,
) {
  if (!result.ok || result.value.replayed) return answerChanged(reply, result, message, deps);
  const { transaction } = result.value;
  const details = EMPTY_DETAILS;
  return successBody(message, {
    transaction: renderDetailedTransaction({ transaction, details }, deps.networks),
  });
}

async function answerChanged(
  reply: FastifyReply,
  result: Result<AcceptedTransaction, Refusal>,
  message: string,
  deps: AnswerDeps,
) {
  if (!result.ok) return sendRefusal(reply, result.error);
  if (result.value.replayed) reply.header('idempotent-replayed', 'true');
  return successBody(message, { transaction: await renderWithDetails(deps, result.value.transaction) });
}

async function renderWithDetails(deps: AnswerDeps, transaction: Transaction) {
  const [detailed] = await readWithDetails(deps, [transaction]);
  return renderDetailedTransaction(detailed!, deps.networks);
}

function successBody<T extends object>(message: string, rest: T) {
  return { status: 'success', message, ...rest };
}
