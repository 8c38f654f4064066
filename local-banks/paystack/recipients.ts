// The banks, name enquiries and transfer recipients of Paystack.
import { createHash } from 'node:crypto';
import type { BankCore } from '../books/bank.ts';
import type { Recipient } from '../books/entries.ts';
import { bankByNip, bankByPaystack, KNOWN_BANKS, type KnownBank } from '../books/known-banks.ts';
import type { BankRequest, BankRoute, LocalBankAnswer } from '../http/server.ts';
import { INTEGRATION, paystackFailure, paystackIsoTime, paystackSuccess } from './answers.ts';

const LISTED = KNOWN_BANKS.filter(({ paystack }) => paystack !== '');
const CANNOT_RESOLVE = {
  message: 'Could not resolve account name. Check parameters or try again.',
  nextStep:
    'Use the List Banks endpoint to get the bank codes, and confirm that the account number is correct',
  code: 'invalid_bank_code',
};

export function recipientRoutes(bank: BankCore): readonly BankRoute[] {
  return [
    {
      ...{ method: 'GET', path: /^\/bank$/, operation: 'banks' },
      handle: ({ query }) =>
        paystackSuccess(
          'Banks retrieved',
          LISTED.map((each, index) => bankRow(each, index, query.get('include_nip_sort_code') === 'true')),
        ),
    },
    {
      ...{ method: 'GET', path: /^\/bank\/resolve$/, operation: 'name' },
      subject: ({ query }) => ({ account: query.get('account_number') ?? undefined }),
      handle: (request) => resolveAccount(bank, request),
    },
    {
      ...{ method: 'POST', path: /^\/transferrecipient$/, operation: 'recipient' },
      subject: ({ json }) => ({ account: String(json.account_number ?? '') }),
      handle: (request) => createRecipient(bank, request),
    },
  ];
}

function bankRow({ name, paystack, nip }: KnownBank, index: number, withNip: boolean) {
  return {
    id: index + 1,
    name,
    slug: slugOf(name),
    code: paystack,
    longcode: '',
    gateway: null,
    pay_with_bank: false,
    supports_transfer: true,
    available_for_direct_debit: false,
    active: true,
    country: 'Nigeria',
    currency: 'NGN',
    type: 'nuban',
    is_deleted: false,
    ...(withNip ? { nip_sort_code: nip } : {}),
    createdAt: '2016-07-14T10:04:29.000Z',
    updatedAt: '2020-02-18T08:06:44.000Z',
  };
}

export const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

function resolveAccount(bank: BankCore, { query }: BankRequest): LocalBankAnswer {
  const [number, code] = [query.get('account_number') ?? '', query.get('bank_code') ?? ''];
  const known = bankByPaystack(code);
  const owner = known === undefined ? undefined : bank.enquire('paystack', known.nip, number);
  if (known === undefined || owner?.ok !== true) return paystackFailure(422, CANNOT_RESOLVE);
  const bank_id = LISTED.indexOf(known) + 1;
  return paystackSuccess('Account number resolved', {
    account_number: number,
    account_name: owner.name,
    bank_id,
  });
}

function createRecipient(bank: BankCore, { json }: BankRequest): LocalBankAnswer {
  const { type, name, account_number: number, bank_code: code } = json;
  const known = bankByPaystack(String(code ?? ''));
  if (type !== 'nuban' || typeof name !== 'string' || name === '' || typeof number !== 'string') {
    const nextStep = 'Pass type, name, account_number and bank_code';
    return paystackFailure(400, { message: 'Account number is required', nextStep, code: 'invalid_params' });
  }
  const owner = known === undefined ? undefined : bank.books.owner(known.nip, number);
  const asked = { rail: 'paystack', operation: 'recipient', account: number } as const;
  const isUnknown = bank.faults.take(['unknown-account'], asked) !== undefined;
  if (known === undefined || isUnknown || (owner?.ok === false && owner.reason !== 'dormant'))
    return paystackFailure(400, { ...CANNOT_RESOLVE, message: 'Cannot resolve account' });
  const { recipients } = bank.books;
  const existing = recipients.find((each) => each.nip === known.nip && each.number === number);
  const message = 'Transfer recipient created successfully';
  if (existing !== undefined) return paystackSuccess(message, recipientRow(existing), 201);
  const id = bank.books.nextId();
  const recipient = {
    id,
    code: makeRandomLookingCode('RCP_', id),
    nip: known.nip,
    number,
    name,
    at: bank.books.now(),
  };
  bank.books.write({ type: 'recipient', recipient });
  return paystackSuccess(message, recipientRow(recipient), 201);
}

/** Returns lower-case letters and digits that look random. The same id always gives the same code. */
export function makeRandomLookingCode(prefix: string, id: number): string {
  const digest = createHash('sha256').update(`${prefix}${id}`).digest('hex');
  return `${prefix}${digest.slice(0, 15)}`;
}

export function recipientRow({ id, code, nip, number, name, at }: Recipient) {
  const known = bankByNip(nip);
  return {
    active: true,
    createdAt: paystackIsoTime(at),
    currency: 'NGN',
    description: null,
    domain: 'live',
    email: null,
    id,
    integration: INTEGRATION,
    metadata: null,
    name,
    recipient_code: code,
    type: 'nuban',
    updatedAt: paystackIsoTime(at),
    is_deleted: false,
    isDeleted: false,
    details: {
      authorization_code: null,
      account_number: number,
      account_name: null,
      bank_code: known?.paystack ?? '',
      bank_name: known?.name ?? '',
    },
  };
}
