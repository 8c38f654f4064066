// A recorded webhook body and its subject: `credit ABOUT`, `payout REFERENCE paid`, `payout REFERENCE not paid` or `other`.

export type Recorded = readonly [body: unknown, about: string];

// Settlement notices in the shape of Providus's public documentation, and variants that its clients have received: other types,
// blanks, and the word null. Each notice has its expected subject.

const providusNotice = (more: object = {}) => ({
  ...{
    sessionId: '000001261116121530123456789012',
    accountNumber: '9977581536',
    tranRemarks: 'FROM ADA TO US',
  },
  ...{ transactionAmount: '400', settledAmount: '398.5', feeAmount: '1.5', vatAmount: '0', currency: 'NGN' },
  ...{ initiationTranRef: '', settlementId: '202611161215300000012', sourceAccountNumber: '2093566866' },
  ...{ sourceAccountName: 'ADA OBI', sourceBankName: 'UNITED BANK FOR AFRICA', channelId: '1' },
  tranDateTime: '2026-11-16 12:15:30.000',
  ...more,
});
const PROVIDUS_CREDIT = 'credit 202611161215300000012';

export const PROVIDUS_EVENTS: readonly Recorded[] = [
  [providusNotice(), PROVIDUS_CREDIT],
  [
    providusNotice({ sourceAccountNumber: 'null', sourceAccountName: 'null', sourceBankName: 'null' }),
    PROVIDUS_CREDIT,
  ],
  [providusNotice({ sourceAccountNumber: '', sourceAccountName: '', sourceBankName: '' }), PROVIDUS_CREDIT],
  [
    providusNotice({
      transactionAmount: 400,
      vatAmount: 0,
      stamp_duty_flg: 0,
      post_flg: 1,
      settlementDateTime: '',
    }),
    PROVIDUS_CREDIT,
  ],
  [providusNotice({ sessionId: '' }), PROVIDUS_CREDIT],
  [providusNotice({ tranRemarks: 'Ọláṣẹ́hìndé 😀 \u0000' }), PROVIDUS_CREDIT],
  // A number with more digits than a double can store keeps its text.
  [
    JSON.stringify(providusNotice()).replace('"202611161215300000012"', '202611161215300000012'),
    PROVIDUS_CREDIT,
  ],
  [providusNotice({ settlementId: '' }), 'other'],
  [providusNotice({ settlementId: null }), 'other'],
  [providusNotice({ settlementId: '1&settlement_id=2' }), 'other'],
  [{ Message: 'ping' }, 'other'],
  ['', 'other'],
];

// Bodies of Paystack's webhooks in the shapes of its public documentation, with additional fields. Each body has its expected
// subject.

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
const paystackRefund = (status: string) => ({
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
  [{ event: 'refund.processed', data: paystackRefund('processed') }, 'credit T685312322670591'],
  [{ event: 'refund.failed', data: paystackRefund('failed') }, 'credit T685312322670591'],
  [{ event: 'dedicatedaccount.assign.success', data: { customer: {}, dedicated_account: {} } }, 'other'],
  [{ event: 'customeridentification.failed', data: { customer_code: 'CUS_x', reason: 'no' } }, 'other'],
  [{ event: ['charge.success'], data: charge('x') }, 'other'],
  [[{ event: 'charge.success', data: charge('x') }], 'other'],
];

// Bodies of Monnify's webhooks in the shapes of its public documentation, with additional fields. One body is not valid JSON,
// as in the documentation. Each body has its expected subject.

const collection = (more: object = {}) => ({
  product: { reference: '1636106097661', type: 'RESERVED_ACCOUNT' },
  ...{
    transactionReference: 'MNFY|04|20261116125413|000170',
    paymentReference: 'MNFY|04|20261116125413|000170',
  },
  ...{ paidOn: '2026-11-16 12:54:14.0', paymentDescription: 'Adm', metaData: {}, amountPaid: 3_000 },
  paymentSourceInformation: [
    { bankCode: '', amountPaid: 3_000, accountName: 'Ada', accountNumber: '******4872' },
  ],
  destinationAccountInformation: { bankCode: '232', bankName: 'Sterling bank', accountNumber: '6000140770' },
  ...{ totalPayable: 3_000, cardDetails: {}, paymentMethod: 'ACCOUNT_TRANSFER', currency: 'NGN' },
  ...{ settlementAmount: '2990.00', paymentStatus: 'PAID', customer: { name: 'Ada', email: 'a@b.example' } },
  ...more,
});
const disbursement = (status: string) => ({
  ...{
    amount: 10,
    transactionReference: 'MFDS|20261116143855|074178',
    fee: 8,
    status,
    reference: 'mov-01j0',
  },
  ...{ transactionDescription: 'Approved or completed successfully', destinationAccountNumber: '0068687503' },
  ...{
    sessionId: '090405210317143857092034',
    createdOn: '17/03/2021 2:38:56 PM',
    destinationBankCode: '044',
  },
});
const monnifyRefund = {
  ...{ merchantReason: 'defective goods', transactionReference: 'MNFY|73|20261116154650|000167' },
  ...{
    completedOn: '27/07/2021 3:00:00 PM',
    refundStatus: 'COMPLETED',
    refundReference: 'ref001',
    refundAmount: 100,
  },
};
const MONNIFY_CREDIT = 'credit MNFY|04|20261116125413|000170';

export const MONNIFY_EVENTS: readonly Recorded[] = [
  [{ eventType: 'SUCCESSFUL_TRANSACTION', eventData: collection() }, MONNIFY_CREDIT],
  [
    {
      eventType: 'SUCCESSFUL_TRANSACTION',
      eventData: collection({
        paymentSourceInformation: {},
        destinationAccountInformation: {},
        paymentMethod: 'CASH',
      }),
    },
    MONNIFY_CREDIT,
  ],
  [{ eventType: 'SUCCESSFUL_TRANSACTION', eventData: collection({ amountPaid: '3000.00' }) }, MONNIFY_CREDIT],
  [{ eventType: 'SUCCESSFUL_TRANSACTION', eventData: collection({ transactionReference: '../x' }) }, 'other'],
  [{ eventType: 'SUCCESSFUL_TRANSACTION' }, 'other'],
  [{ eventType: 'SUCCESSFUL_DISBURSEMENT', eventData: disbursement('SUCCESS') }, 'payout mov-01j0 paid'],
  [{ eventType: 'FAILED_DISBURSEMENT', eventData: disbursement('FAILED') }, 'payout mov-01j0 not paid'],
  [{ eventType: 'REVERSED_DISBURSEMENT', eventData: disbursement('REVERSED') }, 'payout mov-01j0 not paid'],
  [{ eventType: 'SUCCESSFUL_REFUND', eventData: monnifyRefund }, 'credit MNFY|73|20261116154650|000167'],
  [{ eventType: 'FAILED_REFUND', eventData: monnifyRefund }, 'other'],
  [{ eventType: 'SETTLEMENT', eventData: { amount: '1199.00', transactions: [collection()] } }, 'other'],
  [{ eventType: 'REJECTED_PAYMENT', eventData: { transactionReference: 'MNFY|85|1', amount: 100 } }, 'other'],
  [{ eventType: 'MANDATE_UPDATE', eventData: { mandateCode: 'MTDD|1' } }, 'other'],
  ['{"eventType":"REJECTED_PAYMENT","eventData":{"metaData":"{"name":"Ada"}"}}', 'other'],
];
