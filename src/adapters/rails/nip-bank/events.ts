// Reads settlement notices of a bank that has an API like that of Providus. The header X-Auth-Signature is the SHA-512 of
// `client:secret`, the same for every call. It proves that the caller has the secret, but proves nothing about the body. So a
// notice only causes a query by its settlement id. The bank offers no list of incoming payments (docs/operate/rails.md).
import { hash } from 'node:crypto';
import { parseSessionId } from '../../../domain/values/session-id.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { RailAccount } from '../../../ports/rails/rail.ts';
import type {
  RailEventReceipt,
  RailEvents,
  RailEventTopic,
  RailEventVerdict,
} from '../../../ports/rails/rail-events.ts';
import type { CreditLine } from '../../../ports/rails/rail-statement.ts';
import { numberTextOf, readJson, textOf, withPlainNumbers } from '../../json.ts';
import { parseBankTime, parseNairaAsKobo } from '../connection/amounts-and-times.ts';
import { isFromAddress, isSameSecret, readSha512Header } from '../connection/caller-proof.ts';
import type { NipClient } from './client.ts';
import type { NipBankSettings } from './settings.ts';

export type NipCreditSettings = NonNullable<NipBankSettings['credits']>;

export interface NipEventParts {
  readonly name: string;
  readonly client: NipClient;
  readonly account: RailAccount;
  readonly clock: Clock;
  readonly credits: NipCreditSettings;
  readonly credentials: NonNullable<NipBankSettings['client']>;
}

const SETTLEMENT = /^[\w-]{1,60}$/;
const NOT_FOUND = /\bnot found\b/i;

export function makeNipEvents(parts: NipEventParts): RailEvents {
  const { name, credits, credentials } = parts;
  const wanted = hash('sha512', `${credentials.id}:${credentials.secret()}`);
  return {
    places: [...new Set(['nip-bank', 'providus', name])],
    isProven: (message) => {
      const given = readSha512Header(message.headers, 'x-auth-signature');
      return isFromAddress(credits.addresses, message) && given !== null && isSameSecret(given, wanted);
    },
    read: topicOf,
    answer: acknowledgementOf,
    verify: (settlementId) => verifySettlement(parts, settlementId),
    creditNamed: (settlementId) => settlementId,
  };
}

function topicOf(body: Uint8Array): RailEventTopic {
  const about = numberTextOf(readJson(body), 'settlementId') ?? '';
  return SETTLEMENT.test(about)
    ? { kind: 'credit', type: 'settlement', about }
    : { kind: 'other', type: 'unknown' };
}

/**
 * The codes that the bank expects from the service. The bank sends a notice again if the service neither accepted nor rejected
 * it.
 */
const ANSWERS: Readonly<Record<RailEventReceipt, readonly [code: string, message: string]>> = {
  stored: ['00', 'success'],
  known: ['01', 'duplicate transaction'],
  rejected: ['02', 'rejected transaction'],
};

function acknowledgementOf(body: Uint8Array, taken: RailEventReceipt): unknown {
  const [responseCode, responseMessage] = ANSWERS[taken];
  const sessionId = numberTextOf(readJson(body), 'sessionId') ?? '';
  return { requestSuccessful: true, sessionId, responseMessage, responseCode };
}

async function verifySettlement(parts: NipEventParts, settlementId: string): Promise<RailEventVerdict> {
  const answer = await parts.client.findSettlement(parts.credits.url, settlementId);
  if (answer.kind !== 'answer') return { kind: 'unknown', why: answer.reason };
  const { status, json } = answer;
  if (status !== 200) return { kind: 'unknown', why: `the bank answers with status ${status}` };
  const session = numberTextOf(json, 'sessionId');
  const number = textOf(json, 'accountNumber');
  if (session === null && number === null && NOT_FOUND.test(textOf(json, 'tranRemarks') ?? ''))
    return { kind: 'not_found' };
  if (session === null || number === null)
    return { kind: 'unknown', why: 'the bank answers in a form that is not documented' };
  if ((numberTextOf(json, 'settlementId') ?? settlementId) !== settlementId)
    return { kind: 'unknown', why: 'the bank answers about another settlement' };
  if ((textOf(json, 'currency') ?? 'NGN') !== 'NGN') return { kind: 'no_value', why: 'it is not in naira' };
  const line = creditLineOf(parts, settlementId, session, json);
  if (line.valueAtMs < parts.credits.fromMs)
    return { kind: 'no_value', why: 'it is not covered by credits_from' };
  return { kind: 'credit', line };
}

/**
 * The amount is what the payer paid, before the bank's fee. Unknown values are null. If the amount is missing, it becomes 0,
 * and the credit is set aside for a person.
 */
function creditLineOf(
  { account, clock }: NipEventParts,
  settlementId: string,
  session: string,
  json: unknown,
): CreditLine {
  return {
    kind: 'credit',
    sourceId: settlementId,
    accountNumber: textOf(json, 'accountNumber') ?? '',
    accountBankCode: account.bankCode,
    amountMinor: parseNairaAsKobo(numberTextOf(json, 'transactionAmount') ?? '', 'exact') ?? 0n,
    payerAccount: textOf(json, 'sourceAccountNumber'),
    payerName: textOf(json, 'sourceAccountName'),
    payerBankName: textOf(json, 'sourceBankName'),
    narration: textOf(json, 'tranRemarks'),
    sessionId: parseSessionId(session),
    valueAtMs: parseBankTime(textOf(json, 'tranDateTime'), 'month') ?? clock.now(),
    raw: withPlainNumbers(json),
  };
}
