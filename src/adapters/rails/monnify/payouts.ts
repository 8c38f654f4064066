// Payouts by Monnify: a single disbursement that is processed after it was taken (`async`), and its summary by our reference. Amounts
// are naira with decimals. The order carries the owner's name as the bank has it, because Monnify compares the two.
import type { BankDirectory } from '../../../domain/catalogue/banks.ts';
import type {
  NameEnquiry,
  NameQuestion,
  PayoutOrder,
  PayoutStatus,
  Payouts,
  RailBalance,
} from '../../../ports/rails/payouts.ts';
import type { RailAccount } from '../../../ports/rails/rail.ts';
import { exactNumber, numberTextOf, textOf } from '../../json.ts';
import { koboOfNaira, nairaText } from '../connection/amounts-and-times.ts';
import {
  faultIn,
  type MeaningTable,
  meaningIn,
  NO_CODES,
  statusOf,
  statusOfOrder,
  unanswered,
  unansweredOrder,
  unlessUnsure,
} from '../connection/outcomes.ts';
import type { MonnifyClient } from './client.ts';
import { GENERAL_CODE, meaningOfGeneralError, refusalCodes, TRANSFER_WORDS } from './codes.ts';
import type { MonnifySettings } from './settings.ts';

export interface MonnifyParts {
  readonly client: MonnifyClient;
  readonly settings: Pick<MonnifySettings, 'narration' | 'finalCodes' | 'unsureCodes'>;
  readonly account: RailAccount;
  /** Monnify's codes of banks, by ours. */
  readonly codes: ReadonlyMap<string, string>;
}

const DISBURSEMENTS = '/api/v2/disbursements';
const TOO_LATE = 'too little time was left for the order';
const NO_BANK = 'Monnify has no code for this bank';

export function makeMonnifyPayouts({ client, settings, account, codes }: MonnifyParts): Payouts {
  const refusals = refusalCodes(settings.finalCodes);
  const unsure = settings.unsureCodes ?? NO_CODES;
  const enquireName = (question: NameQuestion) => enquire(client, codes, question);
  const ask = (reference: string) => summary(client, reference, unsure);
  return {
    reaches: (bankCode) => codes.has(bankCode),
    enquireName,
    ask,
    balance: () => balance(client, account),
    pay: async (order) => {
      const bankCode = codes.get(order.destination.bankCode);
      if (bankCode === undefined) return { kind: 'not_sent', reason: NO_BANK };
      const hurried = client.within();
      const question = { ...order.destination, expectedName: null, about: order.about };
      const owner = await enquire(hurried, codes, question);
      if (owner.kind !== 'found') return { kind: 'not_sent', reason: whyUnnamed(owner) };
      if (!hurried.isTimeForOrder()) return { kind: 'not_sent', reason: TOO_LATE };
      const body = bodyOf(order, { bankCode, owner: owner.name, settings, account });
      return give(hurried, order, body, {
        refusals,
        unsure,
        ask: () => summary(hurried, order.reference, unsure),
      });
    },
  };
}

/** Monnify's codes of banks are those of the central bank. */
export function bankCodes({ all }: BankDirectory): ReadonlyMap<string, string> {
  return new Map(
    all.flatMap(({ code, cbnCode, payable }) =>
      cbnCode !== null && payable ? [[code, cbnCode] as const] : [],
    ),
  );
}

function whyUnnamed(owner: Exclude<NameEnquiry, { kind: 'found' }>): string {
  return owner.kind === 'unknown' ? owner.reason : 'Monnify does not find the account';
}

async function enquire(
  client: MonnifyClient,
  codes: ReadonlyMap<string, string>,
  { bankCode, accountNumber }: NameQuestion,
): Promise<NameEnquiry> {
  const code = codes.get(bankCode);
  if (code === undefined) return { kind: 'unknown', reason: NO_BANK };
  const query = { accountNumber, bankCode: code };
  const answer = await client.call({ method: 'GET', path: `${DISBURSEMENTS}/account/validate`, query });
  if (answer.kind === 'done') {
    const { body } = answer;
    const name = textOf(body, 'accountName');
    const isOfIt = textOf(body, 'accountNumber') === accountNumber && textOf(body, 'bankCode') === code;
    if (name !== null && isOfIt) return { kind: 'found', name };
    return { kind: 'unknown', reason: 'Monnify answers without a name, or about another account' };
  }
  if (answer.kind !== 'refused') return unanswered(answer);
  // The same status and code is said of a bank that it does not know, which proves nothing about the account.
  if (answer.status === 404 && /\baccount\b/i.test(answer.message ?? '')) return { kind: 'no_account' };
  return { kind: 'unknown', reason: `Monnify refuses the name enquiry (status ${answer.status})` };
}

interface Sending {
  readonly bankCode: string;
  readonly owner: string;
  readonly settings: MonnifyParts['settings'];
  readonly account: RailAccount;
}

function bodyOf(
  { reference, amountMinor, destination, about }: PayoutOrder,
  { bankCode, owner, settings, account }: Sending,
): string {
  return JSON.stringify({
    amount: exactNumber(nairaText(amountMinor)),
    reference,
    narration: about === null ? settings.narration : `${settings.narration} ${about}`,
    destinationBankCode: bankCode,
    destinationAccountNumber: destination.accountNumber,
    destinationAccountName: owner,
    currency: 'NGN',
    sourceAccountNumber: account.number,
    async: true,
  });
}

interface Judging {
  readonly refusals: MeaningTable;
  readonly unsure: ReadonlySet<string>;
  ask(): Promise<PayoutStatus>;
}

async function give(
  client: MonnifyClient,
  order: PayoutOrder,
  body: string,
  { refusals, unsure, ask }: Judging,
): Promise<PayoutStatus> {
  const answer = await client.call({ method: 'POST', path: `${DISBURSEMENTS}/single`, body });
  if (answer.kind === 'done') return transferStatus(answer.body, order.reference, 'totalFee', unsure);
  if (answer.kind !== 'refused') return unansweredOrder(answer);
  const { code, message } = answer;
  const known = code === GENERAL_CODE ? meaningOfGeneralError(message) : meaningIn(refusals, code);
  const meaning = unlessUnsure(known, code, unsure);
  if (meaning.outcome === 'paid') throw new Error('a refusal cannot mean paid');
  return statusOfOrder(order, meaning, code, ask);
}

async function summary(
  client: MonnifyClient,
  reference: string,
  unsure: ReadonlySet<string>,
): Promise<PayoutStatus> {
  const query = { reference };
  const answer = await client.call({ method: 'GET', path: `${DISBURSEMENTS}/single/summary`, query });
  if (answer.kind === 'done') return transferStatus(answer.body, reference, 'fee', unsure);
  if (answer.kind !== 'refused') return unanswered(answer);
  if (answer.status === 404) return { kind: 'not_found' };
  return { kind: 'unknown', reason: `Monnify refuses the question (status ${answer.status})` };
}

/** Of a transfer that Monnify has: as it answers an order, and in its summary. */
function transferStatus(
  body: unknown,
  reference: string,
  feeField: string,
  unsure: ReadonlySet<string>,
): PayoutStatus {
  if (textOf(body, 'reference') !== reference)
    return { kind: 'unknown', reason: 'Monnify answers about another reference' };
  const word = textOf(body, 'status');
  const meaning = unlessUnsure(meaningIn(TRANSFER_WORDS, word), word, unsure);
  if (meaning.outcome === 'paid') {
    const fee = numberTextOf(body, feeField);
    const chargeMinor = fee === null ? null : koboOfNaira(fee, 'exact');
    return { kind: 'paid', sessionId: textOf(body, 'sessionId'), chargeMinor };
  }
  if (meaning.outcome !== 'failed') return statusOf(meaning, word);
  const description = textOf(body, 'transactionDescription') ?? textOf(body, 'comment');
  return statusOf({ ...meaning, fault: faultIn([description]) }, word);
}

async function balance(client: MonnifyClient, { number }: RailAccount): Promise<RailBalance> {
  const query = { accountNumber: number };
  const answer = await client.call({ method: 'GET', path: `${DISBURSEMENTS}/wallet-balance`, query });
  if (answer.kind === 'refused')
    return { kind: 'unknown', reason: `Monnify refuses the balance (status ${answer.status})` };
  if (answer.kind !== 'done') return unanswered(answer);
  const text = numberTextOf(answer.body, 'availableBalance');
  const availableMinor = text === null ? null : koboOfNaira(text, 'down');
  return availableMinor === null
    ? { kind: 'unknown', reason: 'Monnify answers without a balance' }
    : { kind: 'known', availableMinor };
}
