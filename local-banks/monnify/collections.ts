// Money that arrives on reserved accounts at Monnify. A client can search these transactions and verify them one by one.
// amountPaid is the credited amount, and settlementAmount is the amount after the fee.
import type { BankCore } from '../books/bank.ts';
import type { Credit, OwnAccount } from '../books/entries.ts';
import { makeNuban } from '../books/identifiers.ts';
import { bankByCbn, bankByNip, cbnCodeOf } from '../books/known-banks.ts';
import { nairaNumber, nairaText } from '../books/money.ts';
import type { BankRequest, BankRoute, LocalBankAnswer } from '../http/server.ts';
import { monnifyFailure, monnifyIsoTime, monnifyLagosTime, monnifyPage, monnifySuccess } from './answers.ts';

export function collectionRoutes(bank: BankCore): readonly BankRoute[] {
  const get = (path: RegExp, handle: BankRoute['handle']): BankRoute => ({
    ...{ method: 'GET', path, operation: 'credits', handle },
  });
  const byReference = (reference: string | null | undefined): LocalBankAnswer => {
    const credit = bank.books.creditsOf('monnify').find((each) => each.reference === reference);
    if (credit === undefined)
      return monnifyFailure(404, '99', 'There is no transaction matching the supplied reference');
    return monnifySuccess(transactionRow(bank, credit));
  };
  return [
    get(/^\/api\/v1\/transactions\/search$/, (request) => searchTransactions(bank, request)),
    get(/^\/api\/v2\/transactions\/([^/]+)$/, ({ params }) => byReference(params[0])),
    get(/^\/api\/v2\/merchant\/transactions\/query$/, ({ query }) =>
      byReference(query.get('transactionReference') ?? query.get('paymentReference')),
    ),
    get(/^\/api\/v1\/bank-transfer\/reserved-accounts\/transactions$/, (request) => {
      const account = accountOf(bank, request.query.get('accountReference') ?? '');
      const rows = bank.books.creditsOf('monnify').filter((credit) => credit.account === account?.number);
      return monnifyPage(request, rows, {
        names: ['page', 'size'],
        show: (credit) => searchRow(bank, credit),
      });
    }),
    get(/^\/api\/v2\/bank-transfer\/reserved-accounts\/([^/]+)$/, ({ params }) => {
      const account = accountOf(bank, params[0]!);
      if (account === undefined) return monnifyFailure(404, '99', 'Cannot find reserved account');
      return monnifySuccess(accountRow(account));
    }),
    {
      ...{ method: 'POST', path: /^\/api\/v2\/bank-transfer\/reserved-accounts$/, operation: 'credits' },
      handle: (request) => reserveAccount(bank, request),
    },
  ];
}

function accountOf(bank: BankCore, reference: string): OwnAccount | undefined {
  return bank.books.ownAccounts.find((each) => each.rail === 'monnify' && each.reference === reference);
}

function searchTransactions(bank: BankCore, request: BankRequest): LocalBankAnswer {
  const { query } = request;
  const is = (name: string, value: string) => query.get(name) === null || query.get(name) === value;
  const [from, to] = [Number(query.get('from') ?? 0), Number(query.get('to') ?? Number.POSITIVE_INFINITY)];
  const rows = bank.books
    .creditsOf('monnify')
    .filter(
      (credit) =>
        is('transactionReference', credit.reference) &&
        is('paymentReference', credit.reference) &&
        is('paymentStatus', statusOf(bank, credit)) &&
        credit.at >= from &&
        credit.at <= to,
    );
  return monnifyPage(request, rows, { names: ['page', 'size'], show: (credit) => searchRow(bank, credit) });
}

function reserveAccount(bank: BankCore, { json }: BankRequest): LocalBankAnswer {
  const { accountReference: reference, accountName: name } = json;
  if (typeof reference !== 'string' || typeof name !== 'string')
    return monnifyFailure(400, '99', 'accountReference and accountName must not be blank');
  if (accountOf(bank, reference) !== undefined)
    return monnifyFailure(422, 'R42', 'You can not reserve more than 1 account(s) for a customer');
  const id = bank.books.nextId();
  const number = makeNuban('50515', `77${String(id).padStart(7, '0')}`);
  const own = { rail: 'monnify', id, nip: bankByCbn('50515')!.nip, number, name } as const;
  const account = { ...own, reference, at: bank.books.now() };
  bank.books.write({ type: 'own-account', account });
  return monnifySuccess(accountRow(account));
}

function accountRow({ nip, number, name, reference, at }: OwnAccount) {
  const known = bankByNip(nip);
  return {
    contractCode: '5867418298',
    accountReference: reference,
    accountName: name,
    currencyCode: 'NGN',
    customerEmail: 'vendor@sliproad.example',
    customerName: name,
    accounts: [
      {
        bankCode: known === undefined ? nip : cbnCodeOf(known),
        bankName: known?.name ?? '',
        accountNumber: number,
        accountName: name,
      },
    ],
    collectionChannel: 'RESERVED_ACCOUNT',
    reservationReference: reference,
    reservedAccountType: 'GENERAL',
    status: 'ACTIVE',
    createdOn: monnifyLagosTime(at),
    incomeSplitConfig: [],
    restrictPaymentSource: false,
  };
}

function statusOf(bank: BankCore, credit: Credit): string {
  const { amountKobo, dueKobo = amountKobo } = credit;
  if (bank.books.isTakenBack(credit)) return 'REVERSED';
  if (amountKobo === dueKobo) return 'PAID';
  return amountKobo > dueKobo ? 'OVERPAID' : 'PARTIALLY_PAID';
}

function searchRow(bank: BankCore, credit: Credit) {
  const { amountKobo, dueKobo = amountKobo, feeKobo, at, reference, narration } = credit;
  return {
    customerDTO: { email: 'vendor@sliproad.example', name: credit.payer.name, merchantCode: 'LOCAL' },
    providerAmount: 0,
    paymentMethod: 'ACCOUNT_TRANSFER',
    createdOn: monnifyIsoTime(at),
    amount: nairaNumber(dueKobo),
    flagged: false,
    fee: nairaNumber(feeKobo),
    currencyCode: 'NGN',
    completedOn: monnifyIsoTime(at),
    paymentDescription: narration,
    paymentStatus: statusOf(bank, credit),
    transactionReference: reference,
    paymentReference: reference,
    merchantCode: 'LOCAL',
    merchantName: 'Sliproad',
    payableAmount: nairaNumber(dueKobo),
    amountPaid: nairaNumber(amountKobo),
    completed: true,
  };
}

function transactionRow(bank: BankCore, credit: Credit) {
  const { amountKobo, dueKobo = amountKobo, feeKobo, at, reference, narration } = credit;
  const source = { ...sourceOf(credit), amountPaid: nairaText(amountKobo) };
  return {
    transactionReference: reference,
    paymentReference: reference,
    amountPaid: nairaText(amountKobo),
    totalPayable: nairaText(dueKobo),
    settlementAmount: nairaText(amountKobo - feeKobo),
    paidOn: monnifyLagosTime(at),
    paymentStatus: statusOf(bank, credit),
    paymentDescription: narration,
    currency: 'NGN',
    paymentMethod: 'ACCOUNT_TRANSFER',
    product: productOf(bank, credit),
    cardDetails: null,
    accountDetails: source,
    accountPayments: [source],
    customer: { email: 'vendor@sliproad.example', name: 'Sliproad Vendor' },
    metaData: {},
  };
}

function productOf(bank: BankCore, { account }: Credit) {
  const reference = bank.books.ownAccounts.find(({ number }) => number === account)?.reference ?? '';
  return { reference, type: 'RESERVED_ACCOUNT' };
}

function sourceOf({ payer, sessionId }: Credit) {
  const known = bankByNip(payer.nip);
  if (payer.shown === 'blank') return { accountName: '', accountNumber: '', bankCode: '', sessionId };
  if (payer.shown === 'null') return { accountName: null, accountNumber: null, bankCode: null, sessionId };
  return {
    accountName: payer.name,
    accountNumber: payer.shown === 'full' ? payer.number : `******${payer.number.slice(-4)}`,
    bankCode: known === undefined ? payer.nip : cbnCodeOf(known),
    sessionId,
  };
}

export function collectionEvent(bank: BankCore, credit: Credit) {
  const { amountKobo, dueKobo = amountKobo, feeKobo, at, reference, narration, account } = credit;
  const own = bank.books.ownAccounts.find(({ number }) => number === account);
  const known = bankByNip(own?.nip ?? '');
  return {
    eventType: 'SUCCESSFUL_TRANSACTION',
    eventData: {
      product: productOf(bank, credit),
      transactionReference: reference,
      paymentReference: reference,
      paidOn: monnifyLagosTime(at),
      paymentDescription: narration,
      metaData: {},
      paymentSourceInformation: [{ ...sourceOf(credit), amountPaid: nairaNumber(amountKobo) }],
      destinationAccountInformation: {
        bankCode: known === undefined ? '' : cbnCodeOf(known),
        bankName: known?.name ?? '',
        accountNumber: account,
      },
      amountPaid: nairaNumber(amountKobo),
      totalPayable: nairaNumber(dueKobo),
      cardDetails: {},
      paymentMethod: 'ACCOUNT_TRANSFER',
      currency: 'NGN',
      settlementAmount: nairaText(amountKobo - feeKobo),
      paymentStatus: statusOf(bank, credit),
      customer: { name: 'Sliproad Vendor', email: 'vendor@sliproad.example' },
    },
  };
}
