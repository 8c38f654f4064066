// The payouts of Monnify: name validation, single transfers, their summary, and the balance of the wallet. Amounts are decimal
// naira as JSON numbers.
import type { BankCore, ProviderManners, TransferOrder } from '../books/bank.ts';
import type { PayoutStanding } from '../books/books.ts';
import type { OwnAccount, Payout, RefusalReason } from '../books/entries.ts';
import { bankByCbn, bankByNip, cbnCodeOf, KNOWN_BANKS } from '../books/known-banks.ts';
import { nairaNumber, parseNairaAsKobo } from '../books/money.ts';
import type { BankRequest, BankRoute, LocalBankAnswer } from '../http/server.ts';
import { monnifyFailure, monnifyIsoTime, monnifyLagosTime, monnifyPage, monnifySuccess } from './answers.ts';
import { askForApproval } from './validation.ts';

const MONIEPOINT_NIP = '090405';
const CONCLUDED_MS = 1_000;
const TWIN_MS = 120_000;
const WORDS = { pending: 'PENDING', paid: 'SUCCESS', failed: 'FAILED', reversed: 'REVERSED' } as const;
const COMMENTS: Readonly<Record<RefusalReason, string>> = {
  'unknown-bank': 'Destination bank is not supported',
  'unknown-account': 'Destination account could not be found',
  dormant: 'Destination account is dormant',
  'name-differs': 'Destination account name does not match the account',
  insufficient:
    'You do not have sufficient balance to process this request. Please fund your account and try again.',
  limit: 'Transaction limit exceeded',
  'bank-unavailable': 'Beneficiary bank not available',
  refused: 'Transaction failed',
};

const SYNCHRONOUS: ProviderManners = {
  senderNip: MONIEPOINT_NIP,
  paid: [{ afterMs: 0, state: 'paid' }],
  refused: (reason) => [{ afterMs: 0, state: 'failed', reason }],
  words: {
    PENDING: 'pending',
    AWAITING_PROCESSING: 'pending',
    IN_PROGRESS: 'pending',
    PENDING_AUTHORIZATION: 'pending',
    OTP_EMAIL_DISPATCH_FAILED: 'pending',
    SUCCESS: 'paid',
    COMPLETED: 'paid',
    FAILED: 'failed',
    EXPIRED: 'failed',
    REVERSED: 'reversed',
  },
};
const ASYNCHRONOUS: ProviderManners = {
  ...SYNCHRONOUS,
  paid: [
    { afterMs: 0, state: 'pending' },
    { afterMs: CONCLUDED_MS, state: 'paid' },
  ],
  refused: (reason) => [
    { afterMs: 0, state: 'pending' },
    { afterMs: CONCLUDED_MS, state: 'failed', reason },
  ],
};

export interface MonnifyWallet {
  readonly secretKey: string;
  account(): OwnAccount;
}

export function disbursementRoutes(bank: BankCore, wallet: MonnifyWallet): readonly BankRoute[] {
  /** References of payouts that wait for the response of the merchant's endpoint. */
  const asking = new Set<string>();
  const get = (path: RegExp, operation: BankRoute['operation'], handle: BankRoute['handle']): BankRoute => ({
    ...{ method: 'GET', path, operation, handle },
    subject: ({ query }) => ({
      account: query.get('accountNumber') ?? undefined,
      reference: query.get('reference') ?? undefined,
    }),
  });
  return [
    get(/^\/api\/v1\/(sdk\/transactions\/)?banks$/, 'banks', () => monnifySuccess(KNOWN_BANKS.map(bankRow))),
    get(/^\/api\/v[12]\/disbursements\/account\/validate$/, 'name', (request) =>
      validateAccount(bank, request),
    ),
    get(/^\/api\/v2\/disbursements\/single\/summary$/, 'status', (request) =>
      readSummary(bank, wallet, request),
    ),
    get(/^\/api\/v2\/disbursements\/wallet-balance$/, 'balance', (request) =>
      readBalance(bank, wallet, request),
    ),
    get(/^\/api\/v2\/disbursements\/(single\/transactions|search-transactions)$/, 'payouts', (request) =>
      monnifyPage(request, listDisbursements(bank, request), {
        names: ['pageNo', 'pageSize'],
        show: (payout) => summaryRow(bank, wallet, payout),
      }),
    ),
    {
      ...{ method: 'POST', path: /^\/api\/v2\/disbursements\/single$/, operation: 'pay' },
      subject: ({ json }) => ({
        account: String(json.destinationAccountNumber ?? ''),
        reference: String(json.reference ?? ''),
      }),
      handle: (request) => orderSingle(bank, wallet, request, asking),
    },
  ];
}

function listDisbursements(bank: BankCore, { query }: BankRequest): Payout[] {
  const [from, to] = [Number(query.get('startDate') ?? 0), Number(query.get('endDate') ?? Infinity)];
  return bank.listPayouts('monnify').filter(({ at }) => at >= from && at <= to);
}

const bankRow = (known: (typeof KNOWN_BANKS)[number]) => ({
  name: known.name,
  code: cbnCodeOf(known),
  ussdTemplate: null,
  baseUssdCode: null,
  transferUssdTemplate: null,
  bankId: null,
  nipBankCode: known.nip,
});

function validateAccount(bank: BankCore, { query }: BankRequest): LocalBankAnswer {
  const [number, code] = [query.get('accountNumber') ?? '', query.get('bankCode') ?? ''];
  const known = bankByCbn(code);
  if (known === undefined) return monnifyFailure(404, '99', `Could not find bank with code ${code}`);
  const owner = bank.enquire('monnify', known.nip, number);
  if (!owner.ok) return monnifyFailure(404, '99', `Could not find account with number ${number}`);
  return monnifySuccess({ accountNumber: number, accountName: owner.name, bankCode: code });
}

function orderOf(json: BankRequest['json'], wallet: OwnAccount): TransferOrder | LocalBankAnswer {
  const amountKobo = typeof json.amount === 'number' ? parseNairaAsKobo(json.amount) : undefined;
  const texts = [
    'reference',
    'narration',
    'destinationBankCode',
    'destinationAccountNumber',
    'destinationAccountName',
  ];
  const missing = texts.find((field) => typeof json[field] !== 'string' || json[field] === '');
  if (missing !== undefined) return monnifyFailure(400, '99', `${missing} must not be blank`);
  if (amountKobo === undefined || amountKobo === 0n)
    return monnifyFailure(400, '99', 'amount must be greater than 0');
  if (json.currency !== 'NGN') return monnifyFailure(400, '99', 'currency must be NGN');
  if (json.sourceAccountNumber !== wallet.number)
    return monnifyFailure(
      404,
      '99',
      `Could not find wallet with account number ${String(json.sourceAccountNumber)}`,
    );
  const code = String(json.destinationBankCode);
  return {
    ...{ rail: 'monnify', reference: String(json.reference), amountKobo },
    nip: bankByCbn(code)?.nip ?? code,
    number: String(json.destinationAccountNumber),
    name: String(json.destinationAccountName),
    narration: String(json.narration),
  };
}

async function orderSingle(
  bank: BankCore,
  wallet: MonnifyWallet,
  { json }: BankRequest,
  asking: Set<string>,
): Promise<LocalBankAnswer> {
  const order = orderOf(json, wallet.account());
  if ('status' in order) return order;
  const { books, faults } = bank;
  const { reference } = order;
  if (books.payout('monnify', reference) !== undefined || asking.has(reference))
    return monnifyFailure(422, 'D02', `Transaction with reference ${reference} already exists`);
  if (hasTwin(bank, order)) return TWIN;
  const url = books.url('validation', 'monnify');
  if (url !== null) {
    asking.add(reference);
    const now = books.now();
    const { secretKey } = wallet;
    const approved = await askForApproval(order, {
      url,
      secretKey,
      sourceAccount: wallet.account().number,
      now,
      faults,
    });
    asking.delete(reference);
    if (!approved)
      return monnifyFailure(422, '99', 'Transaction was not approved by the validation endpoint');
    if (hasTwin(bank, order)) return TWIN;
  }
  const ways = json.async === true ? ASYNCHRONOUS : SYNCHRONOUS;
  const payout = bank.send(order, ways, bank.refusal(order, { comparesName: true }));
  return monnifySuccess(singleRow(bank, payout));
}

const TWIN = monnifyFailure(422, 'D07', 'Duplicate request. Please wait 2 minutes and try again.');

/** True means that a payout of the same amount went to the same account within two minutes, with any reference. */
function hasTwin(bank: BankCore, { nip, number, amountKobo }: TransferOrder): boolean {
  const now = bank.books.now();
  return bank.books
    .payoutsOf('monnify')
    .some(
      (each) =>
        each.nip === nip &&
        each.number === number &&
        each.amountKobo === amountKobo &&
        now - each.at < TWIN_MS &&
        bank.books.standing(each).state !== 'failed',
    );
}

function monnifyStatusWord({ state, word }: PayoutStanding): string {
  return word ?? WORDS[state];
}

function singleRow(bank: BankCore, payout: Payout) {
  const standing = bank.books.standing(payout);
  const known = bankByNip(payout.nip);
  return {
    amount: nairaNumber(payout.amountKobo),
    reference: payout.reference,
    status: monnifyStatusWord(standing),
    dateCreated: monnifyIsoTime(payout.at),
    totalFee: 0,
    ...(standing.state === 'paid' ? { sessionId: payout.sessionId } : {}),
    destinationAccountName: payout.name,
    destinationBankName: known?.name ?? '',
    destinationAccountNumber: payout.number,
    destinationBankCode: known === undefined ? payout.nip : cbnCodeOf(known),
    ...(standing.state === 'failed' ? { comment: COMMENTS[standing.reason ?? 'refused'] } : {}),
  };
}

function readSummary(bank: BankCore, wallet: MonnifyWallet, { query }: BankRequest): LocalBankAnswer {
  const reference = query.get('reference') ?? '';
  const { found } = bank.lookUp('monnify', reference);
  if (found === undefined)
    return monnifyFailure(404, '99', `Could not find disbursement transaction with reference ${reference}`);
  return monnifySuccess(summaryRow(bank, wallet, found));
}

export function summaryRow(
  bank: BankCore,
  wallet: MonnifyWallet,
  payout: Payout,
  standing = bank.books.standing(payout),
) {
  const known = bankByNip(payout.nip);
  const isSent = standing.state === 'paid' || standing.state === 'reversed';
  return {
    amount: nairaNumber(payout.amountKobo),
    reference: payout.reference,
    narration: payout.narration,
    currency: 'NGN',
    fee: 0,
    twoFaEnabled: false,
    status: monnifyStatusWord(standing),
    transactionDescription:
      standing.state === 'failed'
        ? COMMENTS[standing.reason ?? 'refused']
        : 'Approved or completed successfully',
    transactionReference: `MFDS|${monnifyLagosTime(payout.at).replaceAll(/\D/g, '').slice(0, 14)}|${String(payout.id).padStart(6, '0')}`,
    createdOn: monnifyIsoTime(payout.at),
    ...(isSent ? { completedOn: monnifyIsoTime(standing.since), sessionId: payout.sessionId } : {}),
    sourceAccountNumber: wallet.account().number,
    destinationAccountNumber: payout.number,
    destinationAccountName: payout.name,
    destinationBankCode: known === undefined ? payout.nip : cbnCodeOf(known),
    destinationBankName: known?.name ?? '',
  };
}

function readBalance(bank: BankCore, wallet: MonnifyWallet, { query }: BankRequest): LocalBankAnswer {
  const number = query.get('accountNumber');
  if (number !== wallet.account().number)
    return monnifyFailure(404, '99', `Could not find wallet with account number ${number}`);
  const available = nairaNumber(bank.shownBalance('monnify'));
  return monnifySuccess({ availableBalance: available, ledgerBalance: available });
}
