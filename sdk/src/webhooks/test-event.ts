// Events as the service would send them, for tests of your own handler. Each event has new ids, and all other values are fixed.
import type { Transaction } from '../api-types.ts';
import type { EventType } from '../api-words.ts';
import { invalidArgument } from '../errors.ts';
import type { EventChange, SliproadEvent } from '../event-types.ts';
import { type Story, storyOf } from './test-stories.ts';

export interface TestEventOptions {
  readonly id?: string | undefined;
  /** The time of the event. */
  readonly timestamp?: Date | undefined;
  /** Data that replaces the example data. */
  readonly data?: object | undefined;
}

/** An event of this type, as the service would send it. */
export function testEvent<Type extends EventType>(
  type: Type,
  { id, timestamp = new Date(), data }: TestEventOptions = {},
): Extract<SliproadEvent, { readonly type: Type }> {
  const at = timestamp.toISOString();
  const story = storyOf(type);
  const body = newIdBody();
  const event = {
    id: id ?? `evt_${body}_${story?.sequence ?? 1}`,
    type,
    timestamp: at,
    mode: 'test',
    sequence: story?.sequence ?? 1,
    data: data ?? (story === undefined ? accountData(type, at) : transactionData(type, story, body, at)),
  };
  return event as unknown as Extract<SliproadEvent, { readonly type: Type }>;
}

function accountData(type: string, at: string): object {
  if (type === 'webhook.test') return { endpoint_id: `whe_${newIdBody()}`, stands_for: null };
  if (type !== 'webhook_endpoint.disabled') {
    throw invalidArgument(
      'type',
      `${type} is not an event type. Event types are, for example, transaction.completed and refund.completed.`,
    );
  }
  const endpoint = {
    id: `whe_${newIdBody()}`,
    url: 'https://shop.example/webhooks',
    events: null,
    description: null,
    mode: 'test',
    state: 'disabled',
    disabled_reason: 'gone',
    public_key: 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    failing_since: at,
    last_success_at: null,
    created_at: at,
    updated_at: at,
  };
  return { endpoint, reason: 'gone' };
}

function transactionData(type: string, story: Story, body: string, at: string): object {
  const { from, to, reason, message, actor } = story;
  const change: EventChange = { from, to, reason, message, actor };
  const transaction = transactionOf(story, body, at);
  if (type !== 'refund.completed') return { transaction, change };
  const { account_number, account_name } = transaction;
  const destination = { bank_code: 'guaranty-trust-bank', account_number, account_name };
  const refund = {
    refund_id: `mov_${newIdBody()}`,
    amount: transaction.amount,
    state: 'done',
    destination,
    tx_hash: null,
    bank_reference: 'mov-1001',
  };
  return { transaction, change, refund };
}

function transactionOf({ kind, to, reason, message }: Story, body: string, at: string): Transaction {
  const isSent = kind === 'Buy' && ['confirming', 'completed'].includes(to);
  const isAwaited = ['awaiting_wallet', 'awaiting_payment', 'awaiting_deposit'].includes(to);
  const isUnpaid = isAwaited || ['expired', 'cancelled', 'rejected'].includes(to);
  const received = isUnpaid ? 0 : 15000;
  const vendor = {
    link_account_name: 'Sandbox Vendor One',
    link_account_number: '9900000011',
    link_bank_name: 'Providus Bank',
  };
  return {
    transaction_id: `txn_${body}`,
    business: { business_id: 'biz_01kfz3m8q4w7x2v9c5b6n1h0ja' },
    type: kind,
    reference: 'order-1001',
    quote_id: null,
    amount: 15000,
    ...(kind === 'Buy' && vendor),
    account_number: '0123456785',
    account_name: 'Adaeze Okafor',
    bank_name: 'GTBank',
    link_tag: 'sandbox',
    network: 'Polygon',
    wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    date_created: 'November 14, 2026',
    state: to,
    state_reason: reason,
    state_message: message,
    next_action: null,
    exception: to === 'on_hold' ? 'paid_partial' : null,
    mode: 'test',
    fee: 0,
    net_amount: 15000,
    received_amount: received,
    missing_amount: isAwaited ? 15000 - received : 0,
    refunded_amount: to === 'refunded' ? 15000 : 0,
    tx_hash: isSent ? '0x9f2c1b7d3e5a4860b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728' : null,
    explorer_url: null,
    warnings: [],
    created_at: at,
    updated_at: at,
    expires_at: at,
  };
}

/** The body of an id has 26 characters, as in the ids of the service. */
function newIdBody(): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  return Array.from(crypto.getRandomValues(new Uint8Array(26)), (byte) => alphabet[byte % 32]).join('');
}
