// The sandbox routes: a tester controls the simulated bank and networks of test mode. These routes accept only test keys.
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { Static } from 'typebox';
import { depositTokens } from '../../app/sandbox/deposit-tokens.ts';
import { type SandboxDeps, simulateCredit, simulateReversal } from '../../app/sandbox/drive-sandbox.ts';
import { minorToWire } from '../../domain/values/money.ts';
import { sendRefusal } from '../errors.ts';
import {
  amountTextOf,
  callerOf,
  idempotencyKeyOf,
  optionalAmountTextOf,
} from '../requests/request-context.ts';
import {
  type CreditBody,
  type DepositBody,
  sandboxCreditDocs,
  sandboxDepositDocs,
  sandboxReversalDocs,
} from './sandbox-docs.ts';

export interface SandboxRouteDeps extends SandboxDeps {
  readonly authenticate: onRequestHookHandler;
  /** Makes the service read the simulated bank or networks now instead of at the next poll. */
  readonly wakeFeeds: (where: 'banks' | 'networks') => void;
}

export function addSandboxRoutes(app: FastifyInstance, deps: SandboxRouteDeps): void {
  addBankCredit(app, deps);
  addReversal(app, deps);
  addDeposit(app, deps);
}

function addBankCredit(app: FastifyInstance, deps: SandboxRouteDeps): void {
  app.post<{ Body: Static<typeof CreditBody> }>(
    '/sandbox/v1/bank-credits',
    { onRequest: deps.authenticate, schema: sandboxCreditDocs },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const result = await simulateCredit(deps, {
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
}

function addReversal(app: FastifyInstance, deps: SandboxRouteDeps): void {
  app.post<{ Params: { bank_credit_id: string } }>(
    '/sandbox/v1/bank-credits/:bank_credit_id/reverse',
    { onRequest: deps.authenticate, schema: sandboxReversalDocs },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const result = await simulateReversal(deps, {
        caller: callerOf(request),
        id: request.params.bank_credit_id,
        idempotencyKey: key.value,
      });
      if (!result.ok) return sendRefusal(reply, result.error);
      if (result.value.replayed) reply.header('idempotent-replayed', 'true');
      deps.wakeFeeds('banks');
      const message = 'The bank reverses the payment.';
      return { status: 'success', message, bank_credit: { id: result.value.id } };
    },
  );
}

function addDeposit(app: FastifyInstance, deps: SandboxRouteDeps): void {
  app.post<{ Body: Static<typeof DepositBody> }>(
    '/sandbox/v1/deposits',
    { onRequest: deps.authenticate, schema: sandboxDepositDocs },
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
