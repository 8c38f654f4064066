// The documentation of the transaction routes in the OpenAPI document.
import { Type } from 'typebox';
import { MAX_PAGE_SIZE } from '../../app/input/list-query.ts';
import { STATES } from '../../domain/records/states.ts';
import * as examples from '../reference/examples.ts';
import {
  BODY_ERRORS,
  CHANGE_ERRORS,
  CreateHeaders,
  errorAnswers,
  IdempotencyHeaders,
  jsonAnswer,
  KEY_ERRORS,
  REPLAYED_HEADER,
  TAGS,
  WITH_KEY,
} from '../reference/route-docs.ts';
import {
  OfframpBody,
  OnrampBody,
  TimelineAnswer,
  TransactionAnswer,
  TransactionListAnswer,
  WalletBody,
} from '../reference/schemas.ts';

const idParams = Type.Object({
  transaction_id: Type.String({ description: 'The txn_… id of the transaction.' }),
});

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
  ...CHANGE_ERRORS,
  'business_mismatch',
  'test_mode_only',
  'scenario_unknown',
  'reference_reused',
  'idempotency_key_reused',
  'quote_unknown',
  'quote_mismatch',
  'quote_expired',
  'quote_used',
] as const;

const buyExample = {
  status: 'success',
  message: 'Buy transaction accepted.',
  transaction: examples.BUY_TRANSACTION,
};

export const onrampDocs = {
  operationId: 'initiateBuy',
  summary: 'Initiate a buy',
  description:
    'The customer has paid, or will pay, naira into a vendor account. The bank account in the request is only a claim: ' +
    'tokens are sent after the bank has reported the payment.',
  tags: [TAGS.transactions],
  security: WITH_KEY,
  headers: CreateHeaders,
  body: { ...OnrampBody, examples: [examples.BUY_REQUEST] },
  response: {
    200: jsonAnswer('Accepted and stored durably.', TransactionAnswer, buyExample, REPLAYED_HEADER),
    ...errorAnswers(...submitErrors, ...valueErrors, 'vendor_unknown', 'unmatched_claims_reached'),
  },
};

export const offrampDocs = {
  operationId: 'initiateSell',
  summary: 'Initiate a sell',
  description:
    'Send the tokens to the address in the deposit instruction, with its memo. Naira is paid to the bank account when the ' +
    'deposit is final. With network and wallet_address the deposit is expected on that network, and a refund goes to ' +
    'that wallet. Without them `deposits` has one instruction for each network.',
  tags: [TAGS.transactions],
  security: WITH_KEY,
  headers: CreateHeaders,
  body: { ...OfframpBody, examples: [examples.SELL_REQUEST] },
  response: {
    200: jsonAnswer(
      'Accepted and stored durably.',
      TransactionAnswer,
      { status: 'success', message: 'Sell transaction accepted.', transaction: examples.SELL_TRANSACTION },
      REPLAYED_HEADER,
    ),
    ...errorAnswers(...submitErrors, ...valueErrors, 'bank_unknown', 'bank_not_payable'),
  },
};

export const readTransactionDocs = {
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

export const timelineDocs = {
  operationId: 'getTimeline',
  summary: 'Read the timeline of a transaction',
  description:
    'Every change of state, oldest first, starting with the acceptance: the states, the actor, the reason and the related records.',
  tags: [TAGS.transactions],
  security: WITH_KEY,
  params: idParams,
  response: {
    200: jsonAnswer('Oldest first.', TimelineAnswer, {
      status: 'success',
      message: 'Oldest first.',
      timeline: examples.TIMELINE,
    }),
    ...errorAnswers(...KEY_ERRORS, 'transaction_not_found'),
  },
};

export const listTransactionsDocs = {
  operationId: 'listTransactions',
  summary: 'List transactions',
  description:
    'Newest first. Every transaction that was accepted before you read the first page appears exactly once on the pages.',
  tags: [TAGS.transactions],
  security: WITH_KEY,
  querystring: Type.Object({
    type: Type.Optional(Type.String({ enum: ['Buy', 'Sell'] })),
    state: Type.Optional(Type.String({ enum: [...STATES] })),
    reference: Type.Optional(Type.String()),
    created_from: Type.Optional(
      Type.String({ format: 'date-time', description: 'Created at or after this time.' }),
    ),
    created_to: Type.Optional(
      Type.String({ format: 'date-time', description: 'Created at or before this time.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 25 })),
    cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page.' })),
  }),
  response: {
    200: jsonAnswer('One page of transactions.', TransactionListAnswer, {
      status: 'success',
      message: 'Transactions, newest first.',
      transactions: [examples.BUY_TRANSACTION],
      next_cursor: null,
    }),
    ...errorAnswers(...KEY_ERRORS, 'filter_invalid', 'cursor_invalid', 'reference_invalid'),
  },
};

export const setWalletDocs = {
  operationId: 'setWallet',
  summary: 'Set the wallet',
  description:
    'Sets the wallet of a buy that waits for one (awaiting_wallet), or the refund wallet of a sell without one. A wallet is set once and never replaced.',
  tags: [TAGS.transactions],
  security: WITH_KEY,
  params: idParams,
  body: {
    ...WalletBody,
    examples: [{ network: 'Polygon', wallet_address: examples.BUY_REQUEST.wallet_address }],
  },
  response: {
    200: jsonAnswer(
      'The transaction with the new wallet.',
      TransactionAnswer,
      { ...buyExample, message: 'Wallet set.' },
      REPLAYED_HEADER,
    ),
    ...errorAnswers(
      ...BODY_ERRORS,
      ...CHANGE_ERRORS,
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

export const cancelTransactionDocs = {
  operationId: 'cancelTransaction',
  summary: 'Cancel a transaction',
  description:
    'Possible until money has arrived. A second cancellation changes nothing and gets the same answer.',
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
      ...CHANGE_ERRORS,
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
