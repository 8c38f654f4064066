// A payment provider whose API has the same format as Paystack's live mode. Sources of the format:
// PaystackOSS/doc-code-snippets and PaystackOSS/openapi (responses for transfer, transaction and dedicated account;
// errors/api-errors.json), responses that public integrations quote word for word (`duplicate_transfer_reference`), and
// paystack.com/docs for statuses, webhooks and retries. Uncertain are these points. The `code` of an insufficient balance, a
// wrong amount, a limit and a wrong reference is not documented, only the message and the HTTP status. The code with HTTP 404
// for an unknown reference is not documented. `session` of a successful transfer is null in the samples. A reversed credit has
// the status `reversed` here. Fees are 0 unless a credit is created with one.
import { createHmac } from 'node:crypto';
import type { BankCore } from '../books/bank.ts';
import type { BankWebhooks, ReportedEvent, WebhookReporter } from '../http/bank-webhooks.ts';
import type { BankProvider, LocalBankAnswer } from '../http/server.ts';
import { INTEGRATION, paystackFailure } from './answers.ts';
import { dedicatedAccountRoutes, transactionRow } from './credits.ts';
import { recipientRoutes } from './recipients.ts';
import { paystackStatusWord, transferRoutes, transferRow } from './transfers.ts';

export interface PaystackSecrets {
  readonly secretKey: string;
}

const NO_KEY = {
  message: 'No Authorization Header was found',
  nextStep: 'Provide a valid secret key',
  code: 'no_authorization_header',
};
const WRONG_KEY = {
  message: 'Invalid key',
  nextStep: 'Ensure that you provide the correct authorization key for the request',
  code: 'invalid_Key',
};
const TOO_MANY = {
  message: 'Please wait a few minutes and try again.',
  nextStep: 'Wait a few minutes and try the API call again',
  code: 'rate_limited',
};

export function makePaystackProvider(
  bank: BankCore,
  { secretKey }: PaystackSecrets,
  notices: () => BankWebhooks,
): BankProvider {
  return {
    rail: 'paystack',
    routes: [...recipientRoutes(bank), ...transferRoutes(bank), ...dedicatedAccountRoutes(bank, notices)],
    refuse: ({ headers: { authorization } }) => {
      if (authorization === undefined) return paystackFailure(401, NO_KEY);
      return authorization === `Bearer ${secretKey}` ? undefined : paystackFailure(401, WRONG_KEY);
    },
    missing: ({ path }) => ({ status: 404, body: { status: false, message: `Cannot find ${path}` } }),
    unauthorized: paystackFailure(401, WRONG_KEY),
    tooMany: paystackFailure(429, TOO_MANY, 'api_error'),
    strange: (answer, value = 'under_review') => {
      const body = answer.body as { readonly data?: object };
      return {
        ...answer,
        body: { ...body, data: { ...body.data, status: value } },
      } satisfies LocalBankAnswer;
    },
  };
}

export function makePaystackReporter(bank: BankCore, { secretKey }: PaystackSecrets): WebhookReporter {
  return {
    message: (happening) => {
      const event = eventOf(bank, happening);
      if (event === undefined) return undefined;
      const text = JSON.stringify(event);
      const signature = createHmac('sha512', secretKey).update(text).digest('hex');
      return { text, headers: { 'x-paystack-signature': signature } };
    },
    isTaken: (status) => status === 200,
  };
}

function eventOf(bank: BankCore, happening: ReportedEvent) {
  if (happening.type === 'credit')
    return {
      event: 'charge.success',
      data: { ...transactionRow(bank, happening.credit), status: 'success' },
    };
  const { payout, standing } = happening;
  const word = paystackStatusWord(standing);
  if (!['success', 'failed', 'reversed'].includes(word)) return undefined;
  const integration = { id: INTEGRATION, is_live: true, business_name: 'Sliproad', logo_path: null };
  return { event: `transfer.${word}`, data: { ...transferRow(bank, payout, standing), integration } };
}
