// The documentation of the sandbox routes in the OpenAPI document.
import { Type } from 'typebox';
import {
  BODY_ERRORS,
  CHANGE_ERRORS,
  errorAnswers,
  IdempotencyHeaders,
  jsonAnswer,
  REPLAYED_HEADER,
  TAGS,
  WITH_KEY,
} from '../reference/route-docs.ts';

export const CreditBody = Type.Object(
  {
    vendor_number: Type.String({ description: 'Account number of a test vendor.' }),
    amount: Type.Number({ description: 'Naira that arrive, with at most 2 decimals.' }),
    payer_account_number: Type.String({
      description: 'Account number of the payer: 10 digits. Write * or X for digits that the bank masks.',
    }),
    payer_bank_name: Type.String({ description: 'Bank of the payer.' }),
    payer_name: Type.Optional(Type.String({ description: 'Name of the payer, as the bank reports it.' })),
    narration: Type.Optional(Type.String({ description: 'Text of the transfer.' })),
    session_id: Type.Optional(
      Type.String({
        description:
          'NIP session id. It identifies one transfer: a second request with the same id is another report of the same credit.',
      }),
    ),
  },
  { title: 'Sandbox bank credit' },
);

export const DepositBody = Type.Object(
  {
    transaction_id: Type.String({ description: 'The txn_… id of a sell.' }),
    amount: Type.Optional(
      Type.Number({ description: 'Tokens that arrive. Default: the amount of the sell.' }),
    ),
    network: Type.Optional(
      Type.String({ description: 'Network on which the tokens arrive. Default: the network of the sell.' }),
    ),
  },
  { title: 'Sandbox deposit' },
);

const common = { tags: [TAGS.sandbox], security: WITH_KEY };
const answerFields = { status: Type.String({ enum: ['success'] }), message: Type.String() };
const amountErrors = [
  'amount_malformed',
  'amount_below_minimum',
  'amount_above_maximum',
  'amount_too_precise',
] as const;
const creditExample = { id: 'crd_01kfz3p2r8k4t6m1v7x9c3b5nd', vendor_number: '9900000011', amount: 15000 };

export const sandboxCreditDocs = {
  ...common,
  operationId: 'sandboxBankCredit',
  summary: 'A payment arrives at a vendor account',
  description:
    'Test keys only. The simulated bank reports the payment as a real bank would. A buy of your business that matches the payment then completes automatically.',
  headers: IdempotencyHeaders,
  body: {
    ...CreditBody,
    examples: [
      {
        vendor_number: '9900000011',
        amount: 15000,
        payer_account_number: '0123456785',
        payer_bank_name: 'GTBank',
        payer_name: 'Adaeze Okafor',
      },
    ],
  },
  response: {
    200: jsonAnswer(
      'The payment arrived at the bank.',
      Type.Object({
        ...answerFields,
        bank_credit: Type.Object({ id: Type.String(), vendor_number: Type.String(), amount: Type.Number() }),
      }),
      { status: 'success', message: 'The payment arrived at the bank.', bank_credit: creditExample },
      REPLAYED_HEADER,
    ),
    ...errorAnswers(
      ...BODY_ERRORS,
      'amount_not_a_number',
      ...CHANGE_ERRORS,
      'test_mode_only',
      ...amountErrors,
      'vendor_unknown',
      'account_number_invalid',
      'text_invalid',
      'too_long',
      'idempotency_key_reused',
      'idempotency_key_invalid',
    ),
  },
};

export const sandboxReversalDocs = {
  ...common,
  operationId: 'sandboxReverseBankCredit',
  summary: 'The bank reverses a payment',
  description:
    'Test keys only. The payment must belong to your own business and come from this API or a scenario. A second reversal has no effect.',
  headers: IdempotencyHeaders,
  params: Type.Object({ bank_credit_id: Type.String({ description: 'The id of a sandbox bank credit.' }) }),
  response: {
    200: jsonAnswer(
      'The bank will report the reversal.',
      Type.Object({ ...answerFields, bank_credit: Type.Object({ id: Type.String() }) }),
      {
        status: 'success',
        message: 'The bank reverses the payment.',
        bank_credit: { id: creditExample.id },
      },
      REPLAYED_HEADER,
    ),
    ...errorAnswers(
      ...CHANGE_ERRORS,
      'invalid_json',
      'body_too_large',
      'unsupported_media_type',
      'test_mode_only',
      'credit_not_found',
      'idempotency_key_reused',
      'idempotency_key_invalid',
    ),
  },
};

const depositExample = {
  transaction_id: 'txn_01kfz3q5w9n2r4x6c8v1b3m7kf',
  network: 'Stellar',
  address: 'GCQHNQR2VM5OPXSTWZSF7ISDLE5XZRF73LNU6EOZXFQG2IJFU4WB7VFY',
  memo: '4611686018427387904',
  amount: 25000.5,
  tx_hash: '9f2c1b7d3e5a4860b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728',
};

export const sandboxDepositDocs = {
  ...common,
  operationId: 'sandboxDeposit',
  summary: 'Tokens arrive for a sell',
  description:
    'Test keys only. If the sell has no deposit instruction for the network, the tokens arrive as an unmatched deposit.',
  headers: IdempotencyHeaders,
  body: { ...DepositBody, examples: [{ transaction_id: depositExample.transaction_id }] },
  response: {
    200: jsonAnswer(
      'The tokens are on their way.',
      Type.Object({
        ...answerFields,
        deposit: Type.Object({
          transaction_id: Type.String(),
          network: Type.String(),
          address: Type.String(),
          memo: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
          amount: Type.Number(),
          tx_hash: Type.String(),
        }),
      }),
      { status: 'success', message: 'The tokens are on their way.', deposit: depositExample },
      REPLAYED_HEADER,
    ),
    ...errorAnswers(
      ...BODY_ERRORS,
      'amount_not_a_number',
      ...CHANGE_ERRORS,
      'test_mode_only',
      'transaction_not_found',
      'state_conflict',
      ...amountErrors,
      'amount_not_representable',
      'network_not_simulated',
      'network_unknown',
      'idempotency_key_reused',
      'idempotency_key_invalid',
    ),
  },
};
