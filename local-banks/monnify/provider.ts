// A payment provider whose API has the same format as Monnify's. Sources of the format: developers.monnify.com (paths, account
// validation, transaction validation), the provider's public wiki (responses of single transfers with and without `async`,
// statuses, D07, the webhook of a collection, lists), its published SDKs for the fields of a summary, and public integrations
// for D04. Uncertain are these points. The error of a repeated reference is 422 and D02 here, because no public text has it.
// The HTTP status of D07 is 422 here. The bodies of transaction validation, and the response after a refusal, are guesses (see
// validation.ts). An insufficient balance is FAILED with a comment here, as in the wiki; one integration got D04. The body of a
// 401 and the bank codes of banks without a CBN code are not documented. The webhook masks the number of the payer here, unless
// a credit asks for the full one.
import { createHmac } from 'node:crypto';
import type { BankCore } from '../books/bank.ts';
import type { ReportedEvent, WebhookReporter } from '../http/bank-webhooks.ts';
import type { BankProvider } from '../http/server.ts';
import { monnifyFailure } from './answers.ts';
import { collectionEvent, collectionRoutes } from './collections.ts';
import { disbursementRoutes, type MonnifyWallet, summaryRow } from './disbursements.ts';
import { logIn, type MonnifySecrets, refuseToken, unauthorizedAnswer } from './tokens.ts';

const LOGIN = /^\/api\/v1\/auth\/login$/;

export function makeMonnifyProvider(
  bank: BankCore,
  secrets: MonnifySecrets,
  wallet: MonnifyWallet,
): BankProvider {
  const now = () => bank.books.now();
  return {
    rail: 'monnify',
    routes: [
      {
        ...{ method: 'POST', path: LOGIN, operation: 'login' },
        handle: (request) => logIn(secrets, request, now()),
      },
      ...disbursementRoutes(bank, wallet),
      ...collectionRoutes(bank),
    ],
    refuse: (request) => (LOGIN.test(request.path) ? undefined : refuseToken(secrets, request, now())),
    missing: ({ path }) => ({ status: 404, body: { status: 404, error: 'Not Found', path } }),
    unauthorized: unauthorizedAnswer('Access token expired'),
    tooMany: monnifyFailure(429, '99', 'Too many requests'),
    strange: (answer, value = 'UNDER_REVIEW') => {
      const body = answer.body as { readonly responseBody?: object };
      return { ...answer, body: { ...body, responseBody: { ...body.responseBody, status: value } } };
    },
  };
}

export function makeMonnifyReporter(
  bank: BankCore,
  { secretKey }: MonnifySecrets,
  wallet: MonnifyWallet,
): WebhookReporter {
  return {
    message: (happening) => {
      const event = eventOf(bank, wallet, happening);
      if (event === undefined) return undefined;
      const text = JSON.stringify(event);
      const signature = createHmac('sha512', secretKey).update(text).digest('hex');
      return { text, headers: { 'monnify-signature': signature } };
    },
    isTaken: (status) => status === 200,
  };
}

const EVENTS = {
  paid: 'SUCCESSFUL_DISBURSEMENT',
  failed: 'FAILED_DISBURSEMENT',
  reversed: 'REVERSED_DISBURSEMENT',
} as const;

function eventOf(bank: BankCore, wallet: MonnifyWallet, happening: ReportedEvent) {
  if (happening.type === 'credit') return collectionEvent(bank, happening.credit);
  const { payout, standing } = happening;
  if (standing.state === 'pending') return undefined;
  return { eventType: EVENTS[standing.state], eventData: summaryRow(bank, wallet, payout, standing) };
}
