// GET /banks/v1/{code}/accounts/{number} returns the owner of an account as its bank reports it. A customer can confirm the
// owner before a sell.
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { type Static, Type } from 'typebox';
import {
  type FoundAccount,
  type LookUpAccountDeps,
  lookUpAccount,
} from '../../app/account-lookups/look-up-account.ts';
import { sendRefusal } from '../errors.ts';
import { errorAnswers, jsonAnswer, KEY_ERRORS, TAGS, WITH_KEY } from '../reference/route-docs.ts';
import { callerOf } from '../requests/request-context.ts';

export interface BankAccountRouteDeps extends LookUpAccountDeps {
  readonly authenticate: onRequestHookHandler;
}

export function addBankAccountRoutes(app: FastifyInstance, deps: BankAccountRouteDeps): void {
  app.get<{ Params: { code: string; number: string } }>(
    '/banks/v1/:code/accounts/:number',
    { onRequest: deps.authenticate, schema: accountDocs },
    async (request, reply) => {
      const found = await lookUpAccount(deps, callerOf(request), request.params);
      // The name of an account's owner is personal data, so no cache may store it.
      reply.header('cache-control', 'no-store');
      if (found.ok)
        return { status: 'success', message: 'Account found.', account: renderAccount(found.value) };
      const { refused, waitMs } = found.error;
      return sendRefusal(reply, refused, waitMs === undefined ? undefined : Math.ceil(waitMs / 1_000));
    },
  );
}

function renderAccount({ bank, accountNumber, accountName, atMs }: FoundAccount): Static<typeof Account> {
  return {
    bank_code: bank.code,
    bank_name: bank.name,
    account_number: accountNumber,
    account_name: accountName,
    checked_at: new Date(atMs).toISOString(),
  };
}

const Account = Type.Object({
  bank_code: Type.String({ description: 'Our own code for the bank.' }),
  bank_name: Type.String(),
  account_number: Type.String(),
  account_name: Type.String({ description: 'The name of the owner, as the bank writes it.' }),
  checked_at: Type.String({
    format: 'date-time',
    description: 'When the bank answered. An answer is cached for up to 5 minutes.',
  }),
});

const EXAMPLE: Static<typeof Account> = {
  bank_code: 'guaranty-trust-bank',
  bank_name: 'Guaranty Trust Bank',
  account_number: '0123456785',
  account_name: 'ADAEZE NGOZI OKAFOR',
  checked_at: '2026-11-14T09:30:00.000Z',
};

const accountDocs = {
  operationId: 'getBankAccount',
  summary: 'Look up a bank account',
  description:
    'Asks the bank who owns an account. Show the name to your customer before you submit a sell. Every lookup is recorded and ' +
    'counts against a limit of your business; a lookup of an account that does not exist counts as five. With a test key the ' +
    'simulated bank answers: 0000000000 does not exist, any other number belongs to SANDBOX ACCOUNT HOLDER.',
  tags: [TAGS.banks],
  security: WITH_KEY,
  params: Type.Object({
    code: Type.String({ description: 'A code, a name or an alias from GET /banks/v1.' }),
    number: Type.String({ description: 'The account number: 10 digits.' }),
  }),
  response: {
    200: jsonAnswer(
      'The account.',
      Type.Object({ status: Type.String({ enum: ['success'] }), message: Type.String(), account: Account }),
      { status: 'success', message: 'Account found.', account: EXAMPLE },
    ),
    ...errorAnswers(
      ...KEY_ERRORS,
      'bank_unknown',
      'bank_not_payable',
      'account_number_invalid',
      'rail_not_enabled',
      'account_not_found',
      'bank_unavailable',
    ),
  },
};
