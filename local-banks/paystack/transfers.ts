// The transfers of Paystack. The bank accepts them as pending, and they end shortly after. Amounts are whole kobo.
import type { BankCore, ProviderManners, TransferOrder } from '../books/bank.ts';
import type { PayoutStanding } from '../books/books.ts';
import type { Payout, Recipient } from '../books/entries.ts';
import type { BankRequest, BankRoute, LocalBankAnswer } from '../http/server.ts';
import {
  INTEGRATION,
  paystackFailure,
  paystackIsoTime,
  paystackNotFound,
  paystackPage,
  paystackSuccess,
} from './answers.ts';
import { makeRandomLookingCode, recipientRow } from './recipients.ts';

const PAYSTACK_NIP = '100039';
const CONCLUDED_MS = 1_000;
const REFERENCE = /^[a-z0-9_-]{16,50}$/;

const WAYS: ProviderManners = {
  senderNip: PAYSTACK_NIP,
  paid: [
    { afterMs: 0, state: 'pending' },
    { afterMs: CONCLUDED_MS, state: 'paid' },
  ],
  refused: (reason) => [
    { afterMs: 0, state: 'pending' },
    { afterMs: CONCLUDED_MS, state: 'failed', reason },
  ],
  words: {
    pending: 'pending',
    otp: 'pending',
    received: 'pending',
    success: 'paid',
    failed: 'failed',
    abandoned: 'failed',
    blocked: 'failed',
    rejected: 'failed',
    reversed: 'reversed',
  },
};
const WORDS = { pending: 'pending', paid: 'success', failed: 'failed', reversed: 'reversed' } as const;

const PROBLEMS = {
  recipient: {
    message: 'Recipient specified is invalid',
    nextStep: 'Provide a valid recipient. Ensure you are passing the recipient code in the recipient param',
    code: 'invalid_transfer_recipient',
  },
  amount: {
    message: 'Invalid amount passed.',
    nextStep: 'Ensure the amount is an integer greater than zero, in kobo',
    code: 'invalid_amount',
  },
  reference: {
    message: 'Your reference contains illegal special characters',
    nextStep: 'Pass 16 to 50 lowercase alphanumeric characters, hyphens and underscores',
    code: 'invalid_transfer_reference',
  },
  duplicate: {
    message: 'Please provide a unique reference. Reference already exists on a transfer',
    nextStep: 'Create a new reference for the new transfer',
    code: 'duplicate_transfer_reference',
  },
  insufficient: {
    message: 'Your balance is not enough to fulfil this request',
    nextStep: 'Topup your Paystack Balance and try again',
    code: 'insufficient_balance',
  },
  limit: {
    message: 'Transfer amount exceeds your daily limit',
    nextStep: 'Try again tomorrow, or contact support',
    code: 'transfer_limit_exceeded',
  },
} as const;

export function transferRoutes(bank: BankCore): readonly BankRoute[] {
  const recipientOf = (code: unknown) => bank.books.recipients.find((each) => each.code === code);
  return [
    {
      ...{ method: 'POST', path: /^\/transfer$/, operation: 'pay' },
      subject: ({ json }) => ({
        account: recipientOf(json.recipient)?.number,
        reference: typeof json.reference === 'string' ? json.reference : undefined,
      }),
      handle: ({ json }) => initiateTransfer(bank, json, recipientOf(json.recipient)),
    },
    {
      ...{ method: 'GET', path: /^\/transfer\/verify\/([^/]+)$/, operation: 'status' },
      subject: ({ params }) => ({ reference: params[0] }),
      handle: ({ params }) => verifyTransfer(bank, params[0]!),
    },
    {
      ...{ method: 'GET', path: /^\/transfer$/, operation: 'payouts' },
      handle: (request) =>
        paystackPage(request, bank.listPayouts('paystack'), {
          message: 'Transfers retrieved',
          show: (payout) => transferRow(bank, payout),
        }),
    },
    {
      ...{ method: 'GET', path: /^\/balance$/, operation: 'balance' },
      handle: () => readBalance(bank),
    },
  ];
}

function initiateTransfer(
  bank: BankCore,
  json: BankRequest['json'],
  recipient: Recipient | undefined,
): LocalBankAnswer {
  const { amount, reason, source } = json;
  const reference = json.reference ?? makeRandomLookingCode('', bank.books.nextId()).padEnd(16, '0');
  if (recipient === undefined || source !== 'balance') return paystackFailure(400, PROBLEMS.recipient);
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount <= 0)
    return paystackFailure(400, PROBLEMS.amount);
  if (typeof reference !== 'string' || !REFERENCE.test(reference))
    return paystackFailure(400, PROBLEMS.reference);
  if (bank.books.payout('paystack', reference) !== undefined) return paystackFailure(400, PROBLEMS.duplicate);
  const { nip, number, name } = recipient;
  const order: TransferOrder = {
    ...{ rail: 'paystack', reference, amountKobo: BigInt(amount), nip, number, name },
    narration: typeof reason === 'string' ? reason : '',
  };
  const refusal = bank.refusal(order, { comparesName: false });
  // The bank returns these two errors immediately and creates no transfer.
  if (refusal === 'insufficient' || refusal === 'limit')
    return paystackFailure(400, PROBLEMS[refusal], 'api_error');
  const payout = bank.send(order, WAYS, refusal);
  const word = paystackStatusWord(bank.books.standing(payout));
  return paystackSuccess(word === 'otp' ? 'Transfer requires OTP to continue' : 'Transfer has been queued', {
    ...{ transfersessionid: [], transfertrials: [] },
    ...bareTransferRow(bank, payout),
    recipient: recipient.id,
  });
}

function verifyTransfer(bank: BankCore, reference: string): LocalBankAnswer {
  const { found } = bank.lookUp('paystack', reference);
  if (found === undefined) return paystackNotFound('Transfer not found', 'transfer_not_found');
  return paystackSuccess('Transfer retrieved', transferRow(bank, found));
}

function readBalance(bank: BankCore): LocalBankAnswer {
  const kobo = bank.shownBalance('paystack');
  return paystackSuccess('Balances retrieved', [{ currency: 'NGN', balance: Number(kobo) }]);
}

export function paystackStatusWord({ state, word }: PayoutStanding): string {
  return word ?? WORDS[state];
}

function bareTransferRow(bank: BankCore, payout: Payout, standing = bank.books.standing(payout)) {
  return {
    amount: Number(payout.amountKobo),
    createdAt: paystackIsoTime(payout.at),
    currency: 'NGN',
    domain: 'live',
    failures: null,
    id: payout.id,
    integration: INTEGRATION,
    reason: payout.narration,
    reference: payout.reference,
    source: 'balance',
    source_details: null,
    status: paystackStatusWord(standing),
    titan_code: null,
    transfer_code: makeRandomLookingCode('TRF_', payout.id),
    request: payout.id + 1_000_000,
    transferred_at: standing.state === 'paid' ? paystackIsoTime(standing.since) : null,
    updatedAt: paystackIsoTime(standing.since),
  };
}

export function transferRow(bank: BankCore, payout: Payout, standing = bank.books.standing(payout)) {
  const { nip, number } = payout;
  const recipient = bank.books.recipients.find((each) => each.nip === nip && each.number === number);
  const isSent = standing.state === 'paid' || standing.state === 'reversed';
  return {
    ...bareTransferRow(bank, payout, standing),
    recipient: recipient === undefined ? null : recipientRow(recipient),
    session: isSent ? { provider: 'nip', id: payout.sessionId } : { provider: null, id: null },
    fee_charged: 0,
    fees_breakdown: null,
    gateway_response: standing.state === 'failed' ? (standing.reason ?? 'refused') : null,
  };
}
