// The sandbox routes: a tester drives the simulated bank and networks. Test keys only.
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { type Static, Type } from 'typebox';
import { depositTokens } from '../../app/sandbox/deposit-tokens.ts';
import { payIn, type SandboxDeps, takeBack } from '../../app/sandbox/drive-sandbox.ts';
import { minorToWire } from '../../domain/values/money.ts';
import { sendRefusal } from '../errors.ts';
import {
  BODY_ERRORS,
  errorAnswers,
  IdempotencyHeaders,
  jsonAnswer,
  KEY_ERRORS,
  REPLAYED_HEADER,
  TAGS,
  WITH_KEY,
} from '../reference/route-docs.ts';
import {
  amountTextOf,
  callerOf,
  idempotencyKeyOf,
  optionalAmountTextOf,
} from '../requests/request-context.ts';

export interface SandboxRouteDeps extends SandboxDeps {
  readonly authenticate: onRequestHookHandler;
  /** Something arrived outside: have a look. */
  readonly wakeFeeds: (where: 'banks' | 'networks') => void;
}

const CreditBody = Type.Object(
  {
    vendor_number: Type.String({ description: 'Account number of a test vendor.' }),
    amount: Type.Number({ description: 'Naira that arrive. At most 2 decimals.' }),
    payer_account_number: Type.String({
      description: 'Account it comes from: 10 digits, some of them * or X where the bank masks it.',
    }),
    payer_bank_name: Type.String(),
    payer_name: Type.Optional(Type.String()),
    narration: Type.Optional(Type.String()),
    session_id: Type.Optional(Type.String({ description: 'NIP session id.' })),
  },
  { title: 'Sandbox bank credit' },
);

const DepositBody = Type.Object(
  {
    transaction_id: Type.String({ description: 'A sell.' }),
    amount: Type.Optional(
      Type.Number({ description: 'Tokens that arrive; default: the amount of the sell.' }),
    ),
    network: Type.Optional(Type.String({ description: 'Default: the network of the sell.' })),
  },
  { title: 'Sandbox deposit' },
);

export function addSandboxRoutes(app: FastifyInstance, deps: SandboxRouteDeps): void {
  app.post<{ Body: Static<typeof CreditBody> }>(
    '/sandbox/v1/bank-credits',
    { onRequest: deps.authenticate, schema: creditDocs },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const result = await payIn(deps, {
        caller: callerOf(request),
        body: request.body,
        amountText: amountTextOf(request),
        idempotencyKey: key.value,
      });
      if (!result.ok) return sendRefusal(reply, result.error);
      deps.wakeFeeds('banks');
      const { id, amountMinor, replayed } = result.value;
      if (replayed) reply.header('idempotent-replayed', 'true');
      const credit = { id, vendor_number: request.body.vendor_number, amount: minorToWire(amountMinor) };
      return { status: 'success', message: 'The payment arrived at the bank.', bank_credit: credit };
    },
  );
  app.post<{ Params: { bank_credit_id: string } }>(
    '/sandbox/v1/bank-credits/:bank_credit_id/reverse',
    { onRequest: deps.authenticate, schema: reverseDocs },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const result = await takeBack(deps, {
        caller: callerOf(request),
        id: request.params.bank_credit_id,
        idempotencyKey: key.value,
      });
      if (!result.ok) return sendRefusal(reply, result.error);
      if (result.value.replayed) reply.header('idempotent-replayed', 'true');
      deps.wakeFeeds('banks');
      const message = 'The bank takes the payment back.';
      return { status: 'success', message, bank_credit: { id: result.value.id } };
    },
  );
  app.post<{ Body: Static<typeof DepositBody> }>(
    '/sandbox/v1/deposits',
    { onRequest: deps.authenticate, schema: depositDocs },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const result = await depositTokens(deps, {
        caller: callerOf(request),
        body: request.body,
        amountText: optionalAmountTextOf(request),
        idempotencyKey: key.value,
      });
      if (!result.ok) return sendRefusal(reply, result.error);
      deps.wakeFeeds('networks');
      const { transactionId, network, address, memo, amountMinor, txHash, replayed } = result.value;
      if (replayed) reply.header('idempotent-replayed', 'true');
      return {
        status: 'success',
        message: 'The tokens are on their way.',
        deposit: {
          transaction_id: transactionId,
          network,
          address,
          memo,
          amount: minorToWire(amountMinor),
          tx_hash: txHash,
        },
      };
    },
  );
}

const common = { tags: [TAGS.sandbox], security: WITH_KEY };
const answerFields = { status: Type.String({ enum: ['success'] }), message: Type.String() };
const amountErrors = [
  'amount_malformed',
  'amount_below_minimum',
  'amount_above_maximum',
  'amount_too_precise',
] as const;
const creditExample = { id: 'crd_01kfz3p2r8k4t6m1v7x9c3b5nd', vendor_number: '9900000011', amount: 15000 };

const creditDocs = {
  ...common,
  operationId: 'sandboxBankCredit',
  summary: 'A payment arrives at a vendor account',
  description:
    'Test keys only. The simulated bank tells the service of the payment as a real bank would; a buy that it pays moves on by itself.',
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
      'It arrived.',
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
      ...KEY_ERRORS,
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

const reverseDocs = {
  ...common,
  operationId: 'sandboxReverseBankCredit',
  summary: 'The bank takes a payment back',
  description: 'Test keys only. Taking back twice is taking back once.',
  headers: IdempotencyHeaders,
  params: Type.Object({ bank_credit_id: Type.String({ description: 'The id of a sandbox bank credit.' }) }),
  response: {
    200: jsonAnswer(
      'The bank will tell the service.',
      Type.Object({ ...answerFields, bank_credit: Type.Object({ id: Type.String() }) }),
      {
        status: 'success',
        message: 'The bank takes the payment back.',
        bank_credit: { id: creditExample.id },
      },
      REPLAYED_HEADER,
    ),
    ...errorAnswers(
      ...KEY_ERRORS,
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

const depositDocs = {
  ...common,
  operationId: 'sandboxDeposit',
  summary: 'Tokens arrive for a sell',
  description:
    'Test keys only. With another network than the sell has an instruction for, the tokens arrive where nobody waits for them.',
  headers: IdempotencyHeaders,
  body: { ...DepositBody, examples: [{ transaction_id: depositExample.transaction_id }] },
  response: {
    200: jsonAnswer(
      'They are on their way.',
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
      ...KEY_ERRORS,
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
