// Makes payouts by NIP transfer. Amounts are naira as text, and banks are identified by their NIP institution code. The table
// in codes.ts gives the meaning of the code in the bank's response.
import type { BankDirectory } from '../../../domain/catalogue/banks.ts';
import type { RailAccount } from '../../../ports/rails/rail.ts';
import type {
  NameEnquiryAnswer,
  PayoutOrder,
  PayoutStatus,
  RailBalance,
  RailPayouts,
} from '../../../ports/rails/rail-payouts.ts';
import { numberTextOf, textOf } from '../../json.ts';
import { nairaText, parseNairaAsKobo } from '../connection/amounts-and-times.ts';
import {
  statusOfMeaning,
  statusOfOrder,
  statusOfUnansweredOrder,
  unknownOutcome,
} from '../connection/outcomes.ts';
import type { NipClient } from './client.ts';
import { APPROVED, meaningOfTransfer, NO_ACCOUNT_CODES } from './codes.ts';
import type { NipBankSettings } from './settings.ts';

export interface NipPayoutParts {
  readonly client: NipClient;
  readonly directory: BankDirectory;
  readonly account: RailAccount;
  readonly settings: Pick<
    NipBankSettings,
    'sourceAccountName' | 'narration' | 'ownBankByNip' | 'finalCodes' | 'unsureCodes'
  >;
}

export function makeNipPayouts(parts: NipPayoutParts): RailPayouts {
  const { directory, account, settings } = parts;
  const reached = directory.all.filter(
    ({ code, payable }) => payable && (code !== account.bankCode || settings.ownBankByNip),
  );
  const nipCodes = new Map(reached.map(({ code, nipCode }) => [code, nipCode]));
  return {
    reaches: (bankCode) => nipCodes.has(bankCode),
    enquireName: ({ bankCode, accountNumber }) =>
      enquireAccountName(parts, nipCodes.get(bankCode), accountNumber),
    pay: (order) =>
      orderTransfer(
        { ...parts, client: parts.client.within() },
        nipCodes.get(order.destination.bankCode),
        order,
      ),
    ask: (reference) => askTransferStatus(parts, reference),
    balance: () => readBalance(parts),
  };
}

const NO_UNSURE_CODES: ReadonlySet<string> = new Set();
const TOO_LATE = 'too little time was left for the order';
const UNREACHED = 'this rail does not reach the bank of the account';

async function enquireAccountName(
  { client }: NipPayoutParts,
  beneficiaryBank: string | undefined,
  accountNumber: string,
): Promise<NameEnquiryAnswer> {
  if (beneficiaryBank === undefined) return { kind: 'unknown', reason: UNREACHED };
  const answer = await client.call('GetNIPAccount', { accountNumber, beneficiaryBank });
  if (answer.kind !== 'answer') return unknownOutcome(answer);
  const { code, json } = answer;
  if (NO_ACCOUNT_CODES.has(code)) return { kind: 'no_account' };
  const name = textOf(json, 'accountName');
  const isOurs = (textOf(json, 'accountNumber') ?? accountNumber) === accountNumber;
  if (code === APPROVED && name !== null && isOurs) return { kind: 'found', name };
  return {
    kind: 'unknown',
    reason: `the name enquiry gave no name (${meaningOfTransfer(code, NO_UNSURE_CODES).means})`,
  };
}

async function orderTransfer(
  parts: NipPayoutParts,
  beneficiaryBank: string | undefined,
  order: PayoutOrder,
): Promise<PayoutStatus> {
  const { client, settings } = parts;
  const { reference, amountMinor, destination, about } = order;
  if (beneficiaryBank === undefined) return { kind: 'not_sent', reason: UNREACHED };
  const owner =
    destination.accountName === null
      ? await enquireAccountName(parts, beneficiaryBank, destination.accountNumber)
      : { kind: 'found' as const, name: destination.accountName };
  if (owner.kind !== 'found') return { kind: 'not_sent', reason: 'the name of the account is not known' };
  if (!client.isTimeForOrder()) return { kind: 'not_sent', reason: TOO_LATE };
  const answer = await client.call('NIPFundTransfer', {
    beneficiaryAccountName: owner.name,
    transactionAmount: nairaText(amountMinor),
    currencyCode: 'NGN',
    narration: about === null ? settings.narration : `${settings.narration} ${about}`,
    sourceAccountName: settings.sourceAccountName,
    beneficiaryAccountNumber: destination.accountNumber,
    beneficiaryBank,
    transactionReference: reference,
  });
  if (answer.kind !== 'answer') return statusOfUnansweredOrder(answer);
  const { code, json } = answer;
  const meaning = meaningOfTransfer(code, settings.finalCodes, settings.unsureCodes);
  const said = readReference(json);
  if (said !== null && said.reference !== reference) return OTHER_REFERENCE;
  if (meaning.outcome !== 'paid')
    return statusOfOrder(order, meaning, code, () => askTransferStatus(parts, reference));
  return paidStatus(textOf(json, 'sessionId') ?? said?.sessionId ?? null);
}

async function askTransferStatus(
  { client, settings }: NipPayoutParts,
  reference: string,
): Promise<PayoutStatus> {
  const answer = await client.call('GetNIPTransactionStatus', { transactionReference: reference });
  if (answer.kind !== 'answer') return unknownOutcome(answer);
  const { code, json } = answer;
  const meaning = meaningOfTransfer(code, settings.finalCodes, settings.unsureCodes);
  const said = readReference(json);
  if (said !== null && said.reference !== reference) return OTHER_REFERENCE;
  if (meaning.outcome !== 'paid') return statusOfMeaning(meaning, code);
  return paidStatus(textOf(json, 'sessionId') ?? said?.sessionId ?? null);
}

const OTHER_REFERENCE: PayoutStatus = {
  kind: 'unknown',
  reason: 'the bank answers about another reference',
};

/** A bank with NIP transfers does not report its charges, so the table of bank charges applies. */
function paidStatus(sessionId: string | null): PayoutStatus {
  return { kind: 'paid', sessionId, chargeMinor: null };
}

/** Reads a payout reference that the bank writes as `REFERENCE` or as `REFERENCE| SESSION`. */
function readReference(
  json: unknown,
): { readonly reference: string; readonly sessionId: string | null } | null {
  const [reference, sessionId] = (textOf(json, 'transactionReference') ?? '').split('|');
  if (reference === undefined || reference === '') return null;
  return { reference: reference.trim(), sessionId: sessionId?.trim() || null };
}

async function readBalance({ client, account }: NipPayoutParts): Promise<RailBalance> {
  const answer = await client.call('GetProvidusAccount', { accountNumber: account.number });
  if (answer.kind !== 'answer') return unknownOutcome(answer);
  const { code, json } = answer;
  const text = code === APPROVED ? numberTextOf(json, 'availableBalance') : null;
  const availableMinor = text === null ? null : parseNairaAsKobo(text, 'down');
  if (availableMinor === null) return { kind: 'unknown', reason: `the bank gave no balance (${code})` };
  return { kind: 'known', availableMinor };
}
