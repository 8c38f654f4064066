// Makes payouts through Monnify: a single disbursement that Monnify processes asynchronously (`async`), and its summary by the
// payout reference. Amounts are naira with decimals. The order contains the account name in the spelling of the bank, because
// Monnify compares the names.
import type { BankDirectory } from '../../../domain/catalogue/banks.ts';
import type { RailAccount } from '../../../ports/rails/rail.ts';
import type {
  NameEnquiryAnswer,
  NameEnquiryRequest,
  PayoutOrder,
  PayoutStatus,
  RailBalance,
  RailPayouts,
} from '../../../ports/rails/rail-payouts.ts';
import { exactNumber, numberTextOf, textOf } from '../../json.ts';
import { nairaText, parseNairaAsKobo } from '../connection/amounts-and-times.ts';
import {
  distrustUnsureCode,
  faultOfRefusal,
  lookUpMeaning,
  type MeaningTable,
  NO_CODES,
  statusOfMeaning,
  statusOfOrder,
  statusOfUnansweredOrder,
  unknownOutcome,
} from '../connection/outcomes.ts';
import type { MonnifyClient } from './client.ts';
import { GENERAL_CODE, meaningOfGeneralError, refusalCodesWith, TRANSFER_WORDS } from './codes.ts';
import type { MonnifySettings } from './settings.ts';

export interface MonnifyPayoutParts {
  readonly client: MonnifyClient;
  readonly settings: Pick<MonnifySettings, 'narration' | 'finalCodes' | 'unsureCodes'>;
  readonly account: RailAccount;
  readonly codes: ReadonlyMap<string, string>;
}

const DISBURSEMENTS = '/api/v2/disbursements';
const TOO_LATE = 'too little time was left for the order';
const NO_BANK = 'Monnify has no code for this bank';

export function makeMonnifyPayouts({ client, settings, account, codes }: MonnifyPayoutParts): RailPayouts {
  const refusals = refusalCodesWith(settings.finalCodes);
  const unsure = settings.unsureCodes ?? NO_CODES;
  const enquireName = (question: NameEnquiryRequest) => enquireAccountName(client, codes, question);
  const ask = (reference: string) => askSummary(client, reference, unsure);
  return {
    reaches: (bankCode) => codes.has(bankCode),
    enquireName,
    ask,
    balance: () => readBalance(client, account),
    pay: async (order) => {
      const bankCode = codes.get(order.destination.bankCode);
      if (bankCode === undefined) return { kind: 'not_sent', reason: NO_BANK };
      const hurried = client.within();
      const question = { ...order.destination, expectedName: null, about: order.about };
      const owner = await enquireAccountName(hurried, codes, question);
      if (owner.kind !== 'found') return { kind: 'not_sent', reason: reasonWithoutName(owner) };
      if (!hurried.isTimeForOrder()) return { kind: 'not_sent', reason: TOO_LATE };
      const body = orderBody(order, { bankCode, owner: owner.name, settings, account });
      return giveOrder(hurried, order, body, {
        refusals,
        unsure,
        ask: () => askSummary(hurried, order.reference, unsure),
      });
    },
  };
}

/** Monnify uses the bank codes of the central bank. */
export function monnifyBankCodes({ all }: BankDirectory): ReadonlyMap<string, string> {
  return new Map(
    all.flatMap(({ code, cbnCode, payable }) =>
      cbnCode !== null && payable ? [[code, cbnCode] as const] : [],
    ),
  );
}

function reasonWithoutName(owner: Exclude<NameEnquiryAnswer, { kind: 'found' }>): string {
  return owner.kind === 'unknown' ? owner.reason : 'Monnify does not find the account';
}

async function enquireAccountName(
  client: MonnifyClient,
  codes: ReadonlyMap<string, string>,
  { bankCode, accountNumber }: NameEnquiryRequest,
): Promise<NameEnquiryAnswer> {
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
  if (answer.kind !== 'refused') return unknownOutcome(answer);
  // Monnify returns the same status and code for an unknown bank. So without the word "account" the response proves nothing
  // about the account.
  if (answer.status === 404 && /\baccount\b/i.test(answer.message ?? '')) return { kind: 'no_account' };
  return { kind: 'unknown', reason: `Monnify refuses the name enquiry (status ${answer.status})` };
}

interface OrderContext {
  readonly bankCode: string;
  readonly owner: string;
  readonly settings: MonnifyPayoutParts['settings'];
  readonly account: RailAccount;
}

function orderBody(
  { reference, amountMinor, destination, about }: PayoutOrder,
  { bankCode, owner, settings, account }: OrderContext,
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

interface RefusalContext {
  readonly refusals: MeaningTable;
  readonly unsure: ReadonlySet<string>;
  ask(): Promise<PayoutStatus>;
}

async function giveOrder(
  client: MonnifyClient,
  order: PayoutOrder,
  body: string,
  { refusals, unsure, ask }: RefusalContext,
): Promise<PayoutStatus> {
  const answer = await client.call({ method: 'POST', path: `${DISBURSEMENTS}/single`, body });
  if (answer.kind === 'done') return transferStatus(answer.body, order.reference, 'totalFee', unsure);
  if (answer.kind !== 'refused') return statusOfUnansweredOrder(answer);
  const { code, message } = answer;
  const known = code === GENERAL_CODE ? meaningOfGeneralError(message) : lookUpMeaning(refusals, code);
  const meaning = distrustUnsureCode(known, code, unsure);
  if (meaning.outcome === 'paid') throw new Error('a refusal cannot mean paid');
  return statusOfOrder(order, meaning, code, ask);
}

async function askSummary(
  client: MonnifyClient,
  reference: string,
  unsure: ReadonlySet<string>,
): Promise<PayoutStatus> {
  const query = { reference };
  const answer = await client.call({ method: 'GET', path: `${DISBURSEMENTS}/single/summary`, query });
  if (answer.kind === 'done') return transferStatus(answer.body, reference, 'fee', unsure);
  if (answer.kind !== 'refused') return unknownOutcome(answer);
  if (answer.status === 404) return { kind: 'not_found' };
  return { kind: 'unknown', reason: `Monnify refuses the query (status ${answer.status})` };
}

function transferStatus(
  body: unknown,
  reference: string,
  feeField: string,
  unsure: ReadonlySet<string>,
): PayoutStatus {
  if (textOf(body, 'reference') !== reference)
    return { kind: 'unknown', reason: 'Monnify answers about another reference' };
  const word = textOf(body, 'status');
  const meaning = distrustUnsureCode(lookUpMeaning(TRANSFER_WORDS, word), word, unsure);
  if (meaning.outcome === 'paid') {
    const fee = numberTextOf(body, feeField);
    const chargeMinor = fee === null ? null : parseNairaAsKobo(fee, 'exact');
    return { kind: 'paid', sessionId: textOf(body, 'sessionId'), chargeMinor };
  }
  if (meaning.outcome !== 'failed') return statusOfMeaning(meaning, word);
  const description = textOf(body, 'transactionDescription') ?? textOf(body, 'comment');
  return statusOfMeaning({ ...meaning, fault: faultOfRefusal([description]) }, word);
}

async function readBalance(client: MonnifyClient, { number }: RailAccount): Promise<RailBalance> {
  const query = { accountNumber: number };
  const answer = await client.call({ method: 'GET', path: `${DISBURSEMENTS}/wallet-balance`, query });
  if (answer.kind === 'refused')
    return { kind: 'unknown', reason: `Monnify refuses to show the balance (status ${answer.status})` };
  if (answer.kind !== 'done') return unknownOutcome(answer);
  const text = numberTextOf(answer.body, 'availableBalance');
  const availableMinor = text === null ? null : parseNairaAsKobo(text, 'down');
  return availableMinor === null
    ? { kind: 'unknown', reason: 'Monnify answers without a balance' }
    : { kind: 'known', availableMinor };
}
