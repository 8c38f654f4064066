// Reads webhooks of Paystack (paystack.com/docs/payments/webhooks). The secret key signs the body with HMAC-SHA512. The service
// then queries the subject of an event at GET /transaction/verify/{reference}.
import type { BankDirectory } from '../../../domain/catalogue/banks.ts';
import type { RailEvents, RailEventTopic, RailEventVerdict } from '../../../ports/rails/rail-events.ts';
import { readJson, textOf } from '../../json.ts';
import { hasValidHmac, isFromAddress } from '../connection/caller-proof.ts';
import type { PaystackClient } from './client.ts';
import { ENDED_TRANSACTIONS } from './codes.ts';
import type { PaystackSettings } from './settings.ts';
import { creditLineOf, isBankTransfer, readPaystackTransaction } from './transactions.ts';

export interface PaystackEventParts {
  readonly name: string;
  readonly client: PaystackClient;
  readonly directory: BankDirectory;
  readonly settings: Pick<PaystackSettings, 'secretKey' | 'eventAddresses' | 'creditsFromMs'>;
}

const PAYOUTS: ReadonlyMap<string, { readonly isPaid: boolean }> = new Map([
  ['transfer.success', { isPaid: true }],
  ['transfer.failed', { isPaid: false }],
  ['transfer.reversed', { isPaid: false }],
]);
const CREDITS = /^(?:charge\.success|charge\.dispute\.\w+|refund\.\w+)$/;
const REFERENCES = [['transaction', 'reference'], ['transaction_reference'], ['reference']] as const;
const REFERENCE = /^[\w.=:-]{1,100}$/;
const NOT_FOUND = /^(?:transaction_not_found|transaction reference not found\.?)$/i;

export function makePaystackEvents(parts: PaystackEventParts): RailEvents {
  const { name, settings } = parts;
  return {
    places: [...new Set(['paystack', name])],
    isProven: (message) =>
      isFromAddress(settings.eventAddresses, message) &&
      hasValidHmac(message, 'x-paystack-signature', settings.secretKey()),
    read: topicOf,
    answer: () => ({}),
    verify: (reference) => verifyTransaction(parts, reference),
  };
}

function topicOf(body: Uint8Array): RailEventTopic {
  const json = readJson(body);
  const type = textOf(json, 'event') ?? 'unknown';
  const payout = PAYOUTS.get(type);
  if (payout === undefined && !CREDITS.test(type)) return { kind: 'other', type };
  const paths = payout === undefined ? REFERENCES : ([['reference']] as const);
  const about = paths.map((path) => textOf(json, 'data', ...path)).find((text) => text !== null) ?? '';
  if (!REFERENCE.test(about)) return { kind: 'other', type };
  return payout === undefined ? { kind: 'credit', type, about } : { kind: 'payout', type, about, ...payout };
}

async function verifyTransaction(
  { client, directory, settings }: PaystackEventParts,
  reference: string,
): Promise<RailEventVerdict> {
  const answer = await client.get(`/transaction/verify/${encodeURIComponent(reference)}`);
  if (answer.kind === 'refused') {
    const { status, code } = answer;
    if (status === 404 || NOT_FOUND.test(code ?? '')) return { kind: 'not_found' };
    return { kind: 'unknown', why: `Paystack refuses the query (status ${status})` };
  }
  if (answer.kind !== 'done') return { kind: 'unknown', why: answer.reason };
  const { data } = answer;
  if (textOf(data, 'reference') !== reference)
    return { kind: 'unknown', why: 'Paystack answers about another reference' };
  const transaction = readPaystackTransaction(data);
  if (transaction === null) return { kind: 'unknown', why: 'Paystack answers without id or time' };
  if (!isBankTransfer(data)) return { kind: 'no_value', why: 'it is not a transfer to a dedicated account' };
  const { status, id, atMs } = transaction;
  if (atMs < (settings.creditsFromMs ?? Number.POSITIVE_INFINITY))
    return { kind: 'no_value', why: 'it is not covered by credits_from' };
  const line = creditLineOf(directory, transaction);
  if (status === 'success') return { kind: 'credit', line };
  if (status === 'reversed') {
    const { amountMinor, raw } = line;
    const notice = {
      kind: 'credit_reversed',
      sourceId: `reversed:${id}`,
      about: id,
      amountMinor,
      raw,
    } as const;
    return { kind: 'reversed', notice };
  }
  if (status !== null && ENDED_TRANSACTIONS.has(status)) return { kind: 'no_value', why: 'it was not paid' };
  return { kind: 'not_yet', why: 'Paystack has not settled it' };
}
