// Reads webhooks of Monnify (developers.monnify.com, docs/webhooks). The client secret signs the body with HMAC-SHA512. The
// service then queries the subject of an event by its reference.
import type { RailEvents, RailEventTopic } from '../../../ports/rails/rail-events.ts';
import { readJson, textOf } from '../../json.ts';
import { hasValidHmac, isFromAddress } from '../connection/caller-proof.ts';
import type { Collections } from './collections.ts';
import type { MonnifySettings } from './settings.ts';

export interface MonnifyEventParts {
  readonly name: string;
  readonly settings: Pick<MonnifySettings, 'secretKey' | 'eventAddresses'>;
  readonly collections: Collections;
}

const PAYOUTS: ReadonlyMap<string, { readonly isPaid: boolean }> = new Map([
  ['SUCCESSFUL_DISBURSEMENT', { isPaid: true }],
  ['FAILED_DISBURSEMENT', { isPaid: false }],
  ['REVERSED_DISBURSEMENT', { isPaid: false }],
]);
/** Events about incoming money, or about money that was returned to its payer. */
const CREDITS: ReadonlySet<string> = new Set([
  'SUCCESSFUL_TRANSACTION',
  'REVERSED_TRANSACTION',
  'SUCCESSFUL_REFUND',
]);
const REFERENCE = /^[\w.:|-]{1,100}$/;

export function makeMonnifyEvents({ name, settings, collections }: MonnifyEventParts): RailEvents {
  return {
    places: [...new Set(['monnify', name])],
    isProven: (message) =>
      isFromAddress(settings.eventAddresses, message) &&
      hasValidHmac(message, 'monnify-signature', settings.secretKey()),
    read: topicOf,
    answer: () => ({}),
    verify: collections.verify,
    creditNamed: (reference) => reference,
  };
}

function topicOf(body: Uint8Array): RailEventTopic {
  const json = readJson(body);
  const type = textOf(json, 'eventType') ?? 'unknown';
  const payout = PAYOUTS.get(type);
  if (payout === undefined && !CREDITS.has(type)) return { kind: 'other', type };
  const field = payout === undefined ? 'transactionReference' : 'reference';
  const about = textOf(json, 'eventData', field) ?? '';
  if (!REFERENCE.test(about)) return { kind: 'other', type };
  return payout === undefined ? { kind: 'credit', type, about } : { kind: 'payout', type, about, ...payout };
}
