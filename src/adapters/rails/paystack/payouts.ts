// Makes payouts through Paystack. First a recipient is created, then a transfer in kobo with the payout reference, and the
// transfer is verified by that reference. Banks are identified by Paystack's own codes. The tables in codes.ts give the meaning
// of Paystack's responses.
import type { BankDirectory } from '../../../domain/catalogue/banks.ts';
import type {
  NameEnquiryAnswer,
  PayoutOrder,
  PayoutStatus,
  RailBalance,
  RailPayouts,
} from '../../../ports/rails/rail-payouts.ts';
import { exactNumber, fieldOf, numberTextOf, textOf } from '../../json.ts';
import { parseKobo } from '../connection/amounts-and-times.ts';
import type { NoAnswer } from '../connection/call-bank.ts';
import {
  distrustUnsureCode,
  faultOfRefusal,
  NO_CODES,
  statusOfMeaning,
  statusOfOrder,
  statusOfUnansweredOrder,
  unknownOutcome,
} from '../connection/outcomes.ts';
import type { PaystackAnswer, PaystackClient } from './client.ts';
import { meaningOfOrderError, meaningOfWord } from './codes.ts';
import type { PaystackSettings } from './settings.ts';

export interface PaystackPayoutParts {
  readonly client: PaystackClient;
  readonly directory: BankDirectory;
  readonly settings: Pick<PaystackSettings, 'narration' | 'unsureCodes'>;
}

export function makePaystackPayouts(parts: PaystackPayoutParts): RailPayouts {
  const codes = new Map(
    parts.directory.all.flatMap(({ code, paystackCode, payable }) =>
      payable && paystackCode !== null ? [[code, paystackCode]] : [],
    ),
  );
  return {
    reaches: (bankCode) => codes.has(bankCode),
    enquireName: ({ bankCode, accountNumber }) =>
      enquireAccountName(parts, codes.get(bankCode), accountNumber),
    pay: (order) =>
      orderTransfer(
        { ...parts, client: parts.client.within() },
        codes.get(order.destination.bankCode),
        order,
      ),
    ask: (reference) => askTransferStatus(parts, reference),
    balance: () => readBalance(parts),
  };
}

const TOO_LATE = 'too little time was left for the order';
const UNREACHED = 'Paystack has no code for the bank of the account';
const UNRESOLVED = 422;
const NOT_FOUND = 404;
const NOT_FULFILLED = 400;

async function enquireAccountName(
  { client }: PaystackPayoutParts,
  bankCode: string | undefined,
  accountNumber: string,
): Promise<NameEnquiryAnswer> {
  if (bankCode === undefined) return { kind: 'unknown', reason: UNREACHED };
  const answer = await client.get('/bank/resolve', { account_number: accountNumber, bank_code: bankCode });
  if (answer.kind === 'refused' && answer.status === UNRESOLVED) return { kind: 'no_account' };
  if (answer.kind !== 'done')
    return { kind: 'unknown', reason: `the name enquiry failed: ${reasonOf(answer)}` };
  const name = textOf(answer.data, 'account_name');
  const isOurs = (numberTextOf(answer.data, 'account_number') ?? accountNumber) === accountNumber;
  if (name !== null && isOurs) return { kind: 'found', name };
  return { kind: 'unknown', reason: 'the name enquiry gave no name' };
}

async function orderTransfer(
  parts: PaystackPayoutParts,
  bankCode: string | undefined,
  order: PayoutOrder,
): Promise<PayoutStatus> {
  const { client, settings } = parts;
  const { reference, amountMinor, about } = order;
  if (bankCode === undefined) return { kind: 'not_sent', reason: UNREACHED };
  const recipient = await makeRecipient(client, bankCode, order);
  if (recipient.kind !== 'ready') return recipient;
  if (!client.isTimeForOrder()) return { kind: 'not_sent', reason: TOO_LATE };
  const answer = await client.post('/transfer', {
    source: 'balance',
    amount: exactNumber(amountMinor),
    currency: 'NGN',
    recipient: recipient.code,
    reference,
    reason: about === null ? settings.narration : `${settings.narration} ${about}`,
  });
  if (answer.kind === 'done') return verifyMadeTransfer(parts, order, answer.data);
  if (answer.kind !== 'refused') return statusOfUnansweredOrder(answer);
  const meaning = distrustUnsureCode(
    meaningOfOrderError(answer.code),
    answer.code,
    settings.unsureCodes ?? NO_CODES,
  );
  if (answer.status !== NOT_FULFILLED || meaning.outcome === 'paid')
    return { kind: 'unknown', reason: `Paystack refused the call: ${reasonOf(answer)}` };
  return statusOfOrder(order, meaning, answer.code, () => askTransferStatus(parts, reference));
}

/** If the account already has a recipient, Paystack returns the same one. */
async function makeRecipient(
  client: PaystackClient,
  bankCode: string,
  { destination, reference }: PayoutOrder,
): Promise<
  { readonly kind: 'ready'; readonly code: string } | { readonly kind: 'not_sent'; readonly reason: string }
> {
  const { accountNumber, accountName } = destination;
  const answer = await client.post('/transferrecipient', {
    type: 'nuban',
    name: accountName ?? reference,
    account_number: accountNumber,
    bank_code: bankCode,
    currency: 'NGN',
  });
  const code = answer.kind === 'done' ? textOf(answer.data, 'recipient_code') : null;
  const isOurs =
    answer.kind === 'done' &&
    (textOf(answer.data, 'details', 'account_number') ?? accountNumber) === accountNumber;
  if (code !== null && isOurs) return { kind: 'ready', code };
  const why = answer.kind === 'done' ? 'Paystack gave no recipient for this account' : reasonOf(answer);
  return { kind: 'not_sent', reason: `the transfer was not ordered: ${why}` };
}

/** The response to an order contains neither the fee nor the session id, so a successful transfer is queried once more. */
async function verifyMadeTransfer(
  parts: PaystackPayoutParts,
  order: PayoutOrder,
  transfer: unknown,
): Promise<PayoutStatus> {
  const status = statusOfTransfer(transfer, order.reference, parts.settings.unsureCodes);
  if (status.kind !== 'paid') return status;
  const verified = await askTransferStatus(parts, order.reference);
  return verified.kind === 'unknown' || verified.kind === 'not_found' ? status : verified;
}

async function askTransferStatus(
  { client, settings }: PaystackPayoutParts,
  reference: string,
): Promise<PayoutStatus> {
  const answer = await client.get(`/transfer/verify/${encodeURIComponent(reference)}`);
  if (answer.kind === 'done') return statusOfTransfer(answer.data, reference, settings.unsureCodes);
  if (answer.kind === 'refused' && answer.status === NOT_FOUND) return { kind: 'not_found' };
  if (answer.kind === 'refused') return { kind: 'unknown', reason: reasonOf(answer) };
  return unknownOutcome(answer);
}

function statusOfTransfer(
  transfer: unknown,
  reference: string,
  unsure: ReadonlySet<string> = NO_CODES,
): PayoutStatus {
  if (textOf(transfer, 'reference') !== reference)
    return { kind: 'unknown', reason: 'Paystack answers about another reference' };
  const word = textOf(transfer, 'status');
  const meaning = distrustUnsureCode(meaningOfWord(word), word, unsure);
  // The cause of `failed` may also be the destination account. Then every rail would refuse the payout, and this rail works
  // correctly.
  if (meaning.outcome === 'failed' && word === 'failed')
    return statusOfMeaning({ ...meaning, fault: faultOfRefusal(failureTextsOf(transfer)) }, word);
  if (meaning.outcome !== 'paid') return statusOfMeaning(meaning, word);
  return {
    kind: 'paid',
    sessionId: numberTextOf(transfer, 'session', 'id'),
    chargeMinor: parseKobo(numberTextOf(transfer, 'fee_charged')),
  };
}

function failureTextsOf(transfer: unknown): readonly (string | null)[] {
  const failures = fieldOf(transfer, 'failures');
  const names = typeof failures === 'object' && failures !== null ? Object.keys(failures) : [];
  return [
    textOf(transfer, 'gateway_response'),
    textOf(transfer, 'failures'),
    ...names.map((name) => textOf(failures, name)),
  ];
}

async function readBalance({ client }: PaystackPayoutParts): Promise<RailBalance> {
  const answer = await client.get('/balance');
  if (answer.kind !== 'done') return { kind: 'unknown', reason: reasonOf(answer) };
  const rows = Array.isArray(answer.data) ? answer.data : [];
  const naira = rows.find((row) => fieldOf(row, 'currency') === 'NGN');
  const availableMinor = parseKobo(numberTextOf(naira, 'balance'));
  if (availableMinor === null) return { kind: 'unknown', reason: 'Paystack gave no balance in naira' };
  return { kind: 'known', availableMinor };
}

const SHOWABLE = /^[\w .,-]{1,80}$/;

function reasonOf(answer: Exclude<PaystackAnswer, { kind: 'done' }> | NoAnswer): string {
  if (answer.kind !== 'refused') return answer.reason;
  const { status, code } = answer;
  return `status ${status}${code !== null && SHOWABLE.test(code) ? ` (${code})` : ''}`;
}
