// The transaction routes: parse, call one use-case, render.
import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Accepted } from '../../app/accept-transaction.ts';
import { cancelTransaction } from '../../app/cancel-transaction.ts';
import { listTransactions, MAX_PAGE, readTransaction } from '../../app/read-transactions.ts';
import { setWallet } from '../../app/set-wallet.ts';
import { type SubmitBuyDeps, submitBuy } from '../../app/submit-buy.ts';
import { type SubmitSellDeps, submitSell } from '../../app/submit-sell.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { Result } from '../../domain/result.ts';
import { STATES } from '../../domain/states.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Networks } from '../../ports/network.ts';
import type { Store } from '../../ports/store.ts';
import { sendRefusal } from '../errors.ts';
import * as examples from '../examples.ts';
import { renderTransaction } from '../render-transaction.ts';
import { amountTextOf, callerOf, idempotencyKeyOf } from '../request-context.ts';
import {
  BODY_ERRORS,
  errorAnswers,
  IdempotencyHeaders,
  jsonAnswer,
  KEY_ERRORS,
  REPLAYED_HEADER,
  TAGS,
  WITH_KEY,
} from '../route-docs.ts';
import { OfframpBody, OnrampBody, TransactionAnswer, TransactionListAnswer, WalletBody } from '../schemas.ts';

export interface TransactionRouteDeps {
  readonly authenticate: onRequestHookHandler;
  readonly buy: SubmitBuyDeps;
  readonly sell: SubmitSellDeps;
  readonly store: Store;
  readonly networks: Networks;
  readonly clock: Clock;
}

export function addTransactionRoutes(app: FastifyInstance, deps: TransactionRouteDeps): void {
  addOnramp(app, '/transactions/v1/onramp', deps.authenticate, deps.buy);
  addOfframp(app, deps);
  addReads(app, deps);
  addChanges(app, deps);
}

/** The path is a parameter so that the benchmark can put the same route on other stores beside it. */
export function addOnramp(
  app: FastifyInstance,
  path: string,
  authenticate: onRequestHookHandler,
  deps: SubmitBuyDeps,
): void {
  app.post<{ Body: Static<typeof OnrampBody> }>(
    path,
    { onRequest: authenticate, schema: onrampDocs },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const result = await submitBuy(deps, {
        caller: callerOf(request),
        body: request.body,
        amountText: amountTextOf(request),
        idempotencyKey: key.value,
      });
      return answer(reply, result, 'Buy transaction accepted.');
    },
  );
}

function addOfframp(app: FastifyInstance, deps: TransactionRouteDeps): void {
  app.post<{ Body: Static<typeof OfframpBody> }>(
    '/transactions/v1/offramp',
    { onRequest: deps.authenticate, schema: offrampDocs },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const result = await submitSell(deps.sell, {
        caller: callerOf(request),
        body: request.body,
        amountText: amountTextOf(request),
        idempotencyKey: key.value,
      });
      return answer(reply, result, 'Sell transaction accepted.');
    },
  );
}

function addReads(app: FastifyInstance, deps: TransactionRouteDeps): void {
  app.get<{ Params: { transaction_id: string } }>(
    '/transactions/v1/:transaction_id',
    { onRequest: deps.authenticate, schema: readDocs },
    async (request, reply) => {
      const result = await readTransaction(deps.store, callerOf(request), request.params.transaction_id);
      if (!result.ok) return sendRefusal(reply, result.error);
      return success('Transaction found.', { transaction: renderTransaction(result.value) });
    },
  );
  app.get<{ Querystring: Record<string, unknown> }>(
    '/transactions/v1',
    { onRequest: deps.authenticate, schema: listDocs },
    async (request, reply) => {
      const result = await listTransactions(deps.store, callerOf(request), request.query);
      if (!result.ok) return sendRefusal(reply, result.error);
      const { transactions, nextCursor } = result.value;
      return success('Transactions, newest first.', {
        transactions: transactions.map(renderTransaction),
        next_cursor: nextCursor,
      });
    },
  );
}

function addChanges(app: FastifyInstance, deps: TransactionRouteDeps): void {
  app.put<{ Params: { transaction_id: string }; Body: Static<typeof WalletBody> }>(
    '/transactions/v1/:transaction_id/wallet',
    { onRequest: deps.authenticate, schema: walletDocs },
    async (request, reply) => {
      const { transaction_id: transactionId } = request.params;
      const caller = callerOf(request);
      const result = await setWallet(deps, { caller, transactionId, body: request.body });
      return answer(reply, result, 'Wallet set.');
    },
  );
  app.post<{ Params: { transaction_id: string } }>(
    '/transactions/v1/:transaction_id/cancel',
    { onRequest: deps.authenticate, schema: cancelDocs },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const result = await cancelTransaction(deps, {
        caller: callerOf(request),
        transactionId: request.params.transaction_id,
        idempotencyKey: key.value,
      });
      return answer(reply, result, 'Transaction cancelled.');
    },
  );
}

function answer(reply: FastifyReply, result: Result<Accepted, Refusal>, message: string) {
  if (!result.ok) return sendRefusal(reply, result.error);
  if (result.value.replayed) reply.header('idempotent-replayed', 'true');
  return success(message, { transaction: renderTransaction(result.value.transaction) });
}

function success<T extends object>(message: string, rest: T) {
  return { status: 'success', message, ...rest };
}

const idParams = Type.Object({ transaction_id: Type.String({ description: 'The transaction’s txn_… id.' }) });

const valueErrors = [
  'type_invalid',
  'amount_below_minimum',
  'amount_above_maximum',
  'amount_too_precise',
  'amount_malformed',
  'amount_not_representable',
  'account_number_invalid',
  'account_name_invalid',
  'text_invalid',
  'too_long',
  'network_unknown',
  'network_not_enabled',
  'rail_not_enabled',
  'wallet_incomplete',
  'wallet_invalid',
  'wallet_network_mismatch',
  'wallet_forbidden',
  'reference_invalid',
  'idempotency_key_invalid',
] as const;

const submitErrors = [
  ...BODY_ERRORS,
  'amount_not_a_number',
  ...KEY_ERRORS,
  'business_mismatch',
  'reference_reused',
  'idempotency_key_reused',
] as const;

const buyExample = {
  status: 'success',
  message: 'Buy transaction accepted.',
  transaction: examples.BUY_TRANSACTION,
};

const onrampDocs = {
  operationId: 'initiateBuy',
  summary: 'Initiate a buy',
  description:
    'The customer has paid, or is about to pay, naira into a vendor account. The proof of payment is a claim: tokens ' +
    'are sent only after the bank reports the payment.',
  tags: [TAGS.transactions],
  security: WITH_KEY,
  headers: IdempotencyHeaders,
  body: { ...OnrampBody, examples: [examples.BUY_REQUEST] },
  response: {
    200: jsonAnswer('Accepted, and durable.', TransactionAnswer, buyExample, REPLAYED_HEADER),
    ...errorAnswers(...submitErrors, ...valueErrors, 'vendor_unknown'),
  },
};

const offrampDocs = {
  operationId: 'initiateSell',
  summary: 'Initiate a sell',
  description:
    'Send the tokens as the deposit instruction says; naira is paid to the bank account once the deposit is final. ' +
    'With network and wallet_address the deposit is expected there and the wallet receives a refund; without them ' +
    '`deposits` holds one instruction per network.',
  tags: [TAGS.transactions],
  security: WITH_KEY,
  headers: IdempotencyHeaders,
  body: { ...OfframpBody, examples: [examples.SELL_REQUEST] },
  response: {
    200: jsonAnswer(
      'Accepted, and durable.',
      TransactionAnswer,
      { status: 'success', message: 'Sell transaction accepted.', transaction: examples.SELL_TRANSACTION },
      REPLAYED_HEADER,
    ),
    ...errorAnswers(...submitErrors, ...valueErrors, 'bank_unknown', 'bank_not_payable'),
  },
};

const readDocs = {
  operationId: 'getTransaction',
  summary: 'Read a transaction',
  tags: [TAGS.transactions],
  security: WITH_KEY,
  params: idParams,
  response: {
    200: jsonAnswer('The transaction.', TransactionAnswer, { ...buyExample, message: 'Transaction found.' }),
    ...errorAnswers(...KEY_ERRORS, 'transaction_not_found'),
  },
};

const listDocs = {
  operationId: 'listTransactions',
  summary: 'List transactions',
  description: 'Newest first. Everything accepted before the first page was asked for is seen exactly once.',
  tags: [TAGS.transactions],
  security: WITH_KEY,
  querystring: Type.Object({
    type: Type.Optional(Type.String({ enum: ['Buy', 'Sell'] })),
    state: Type.Optional(Type.String({ enum: [...STATES] })),
    reference: Type.Optional(Type.String()),
    created_from: Type.Optional(Type.String({ format: 'date-time', description: 'At or after.' })),
    created_to: Type.Optional(Type.String({ format: 'date-time', description: 'At or before.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 25 })),
    cursor: Type.Optional(Type.String({ description: 'next_cursor of the page before.' })),
  }),
  response: {
    200: jsonAnswer('A page.', TransactionListAnswer, {
      status: 'success',
      message: 'Transactions, newest first.',
      transactions: [examples.BUY_TRANSACTION],
      next_cursor: null,
    }),
    ...errorAnswers(...KEY_ERRORS, 'filter_invalid', 'cursor_invalid', 'reference_invalid'),
  },
};

const walletDocs = {
  operationId: 'setWallet',
  summary: 'Set the wallet',
  description:
    'For a buy in awaiting_wallet, or the refund wallet of a sell that has none. A wallet is set once.',
  tags: [TAGS.transactions],
  security: WITH_KEY,
  params: idParams,
  body: {
    ...WalletBody,
    examples: [{ network: 'Polygon', wallet_address: examples.BUY_REQUEST.wallet_address }],
  },
  response: {
    200: jsonAnswer(
      'The transaction with its wallet.',
      TransactionAnswer,
      { ...buyExample, message: 'Wallet set.' },
      REPLAYED_HEADER,
    ),
    ...errorAnswers(
      ...BODY_ERRORS,
      ...KEY_ERRORS,
      'transaction_not_found',
      'wallet_already_set',
      'state_conflict',
      'network_unknown',
      'network_not_enabled',
      'wallet_invalid',
      'wallet_network_mismatch',
      'wallet_forbidden',
    ),
  },
};

const cancelDocs = {
  operationId: 'cancelTransaction',
  summary: 'Cancel a transaction',
  description: 'Possible while no money has arrived. Cancelling twice is fine.',
  tags: [TAGS.transactions],
  security: WITH_KEY,
  params: idParams,
  headers: IdempotencyHeaders,
  response: {
    200: jsonAnswer(
      'The cancelled transaction.',
      TransactionAnswer,
      {
        status: 'success',
        message: 'Transaction cancelled.',
        transaction: { ...examples.BUY_TRANSACTION, state: 'cancelled', next_action: null },
      },
      REPLAYED_HEADER,
    ),
    ...errorAnswers(
      ...KEY_ERRORS,
      'invalid_json',
      'body_too_large',
      'unsupported_media_type',
      'transaction_not_found',
      'state_conflict',
      'idempotency_key_reused',
      'idempotency_key_invalid',
    ),
  },
};
