// Bodies of Paystack's webhooks in the shapes of its public documentation, with additional fields. Each has its expected subject.
import type { Recorded } from './recorded.ts';

const charge = (reference: unknown, more: object = {}) => ({
  ...{ id: 302_961, domain: 'live', status: 'success', reference, amount: 1_500_050, message: null },
  ...{ gateway_response: 'Approved', paid_at: '2026-11-16T09:24:28.000Z', channel: 'dedicated_nuban' },
  ...{ currency: 'NGN', ip_address: null, metadata: 0, log: null, fees: 10_000, fees_split: null },
  authorization: {
    channel: 'dedicated_nuban',
    sender_bank: null,
    receiver_bank_account_number: '9900000011',
  },
  ...{ customer: { id: 1, metadata: 'null' }, plan: {}, source: { type: 'api', entry_point: 'x' } },
  ...more,
});
const transfer = (reference: unknown, status: string) => ({
  ...{ amount: 3_000, currency: 'NGN', domain: 'test', failures: null, id: 37_272_792, reason: 'Have fun' },
  ...{ integration: { id: 463_433, is_live: true }, source: 'balance', titan_code: null, status, reference },
  ...{ recipient: { active: true, details: { account_number: '0100000037' } }, session: { provider: null } },
});
const dispute = (status: string) => ({
  ...{ id: 358_950, refund_amount: 5_800, currency: 'NGN', status, resolution: null, domain: 'live' },
  transaction: {
    id: 896_467_688,
    reference: 'v3mjfgbnc19v97x',
    amount: 5_800,
    paidAt: '2026-11-16T09:24:28Z',
  },
  ...{ category: null, history: [{ status: 'pending', by: 'a@b.example' }], messages: [] },
});
const refund = (status: string) => ({
  ...{ status, transaction_reference: 'T685312322670591', refund_reference: null, amount: '10000' },
  ...{
    currency: 'NGN',
    processor: 'instant-transfer',
    customer: { first_name: 'Drew' },
    integration: 412_829,
  },
});

export const PAYSTACK_EVENTS: readonly Recorded[] = [
  [{ event: 'charge.success', data: charge('20261116092428000017') }, 'credit 20261116092428000017'],
  [{ event: 'charge.success', data: charge('re4lyvq3s3', { channel: 'card' }) }, 'credit re4lyvq3s3'],
  [{ event: 'charge.success', data: charge(20_261_116) }, 'other'],
  [{ event: 'charge.success', data: charge('../transfer?x=1') }, 'other'],
  [{ event: 'charge.success', data: null }, 'other'],
  [{ event: 'transfer.success', data: transfer('mov-01j0', 'success') }, 'payout mov-01j0 paid'],
  [{ event: 'transfer.failed', data: transfer('mov-01j0', 'failed') }, 'payout mov-01j0 not paid'],
  [{ event: 'transfer.reversed', data: transfer('mov-01j0-2', 'reversed') }, 'payout mov-01j0-2 not paid'],
  [{ event: 'charge.dispute.create', data: dispute('awaiting-merchant-feedback') }, 'credit v3mjfgbnc19v97x'],
  [{ event: 'charge.dispute.resolve', data: dispute('resolved') }, 'credit v3mjfgbnc19v97x'],
  [{ event: 'refund.processed', data: refund('processed') }, 'credit T685312322670591'],
  [{ event: 'refund.failed', data: refund('failed') }, 'credit T685312322670591'],
  [{ event: 'dedicatedaccount.assign.success', data: { customer: {}, dedicated_account: {} } }, 'other'],
  [{ event: 'customeridentification.failed', data: { customer_code: 'CUS_x', reason: 'no' } }, 'other'],
  [{ event: ['charge.success'], data: charge('x') }, 'other'],
  [[{ event: 'charge.success', data: charge('x') }], 'other'],
];
