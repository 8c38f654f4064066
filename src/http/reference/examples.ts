// The examples of requests and responses in the OpenAPI document. A test sends them to the running service.

export const BUY_REQUEST = {
  business_id: 'biz_01kfz3m8q4w7x2v9c5b6n1h0ja',
  link_tag: 'sandbox',
  type: 'buy_ramp',
  amount: 15000,
  vendor_name: 'Sandbox Vendor One',
  vendor_bank: 'Providus Bank',
  vendor_number: '9900000011',
  bank_name: 'GTBank',
  account_number: '0123456785',
  account_name: 'Adaeze Okafor',
  network: 'Polygon',
  wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  reference: 'order-1001',
};

export const SELL_REQUEST = {
  business_id: 'biz_01kfz3m8q4w7x2v9c5b6n1h0ja',
  link_tag: 'sandbox',
  type: 'sell_ramp',
  amount: 25000.5,
  account_name: 'Adaeze Okafor',
  account_number: '0123456785',
  bank_name: 'GTBank',
  network: 'Stellar',
  wallet_address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
  reference: 'cash-out-77',
};

const TIMES = {
  created_at: '2026-11-14T09:30:00.000Z',
  updated_at: '2026-11-14T09:30:00.000Z',
  expires_at: '2026-11-15T09:30:00.000Z',
};

export const BUY_TRANSACTION = {
  transaction_id: 'txn_01kfz3p2r8k4t6m1v7x9c3b5nd',
  business: { business_id: BUY_REQUEST.business_id },
  type: 'Buy',
  reference: 'order-1001',
  quote_id: null,
  amount: 15000,
  link_account_name: 'Sandbox Vendor One',
  link_account_number: '9900000011',
  link_bank_name: 'Providus Bank',
  account_number: '0123456785',
  account_name: 'Adaeze Okafor',
  bank_name: 'GTBank',
  link_tag: 'sandbox',
  network: 'Polygon',
  wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  date_created: 'November 14, 2026',
  state: 'awaiting_payment',
  state_reason: 'accepted',
  state_message: 'The transaction was accepted.',
  next_action: 'Waiting for the bank to report the payment into the vendor account.',
  exception: null,
  mode: 'test',
  fee: 0,
  net_amount: 15000,
  received_amount: 0,
  missing_amount: 15000,
  refunded_amount: 0,
  refunds: [],
  tx_hash: null,
  explorer_url: null,
  warnings: [],
  ...TIMES,
};

const DEPOSIT = {
  network: 'Stellar',
  address: 'GCQHNQR2VM5OPXSTWZSF7ISDLE5XZRF73LNU6EOZXFQG2IJFU4WB7VFY',
  memo: '4611686018427387904',
  memo_type: 'id',
  asset: 'NGNC',
  expected_amount: 25000.5,
  confirmations: 1,
  expires_at: TIMES.expires_at,
};

export const SELL_TRANSACTION = {
  transaction_id: 'txn_01kfz3q5w9n2r4x6c8v1b3m7kf',
  business: { business_id: SELL_REQUEST.business_id },
  type: 'Sell',
  reference: 'cash-out-77',
  quote_id: null,
  amount: 25000.5,
  account_number: '0123456785',
  account_name: 'Adaeze Okafor',
  bank_name: 'GTBank',
  link_tag: 'sandbox',
  network: 'Stellar',
  wallet_address: SELL_REQUEST.wallet_address,
  deposit: DEPOSIT,
  deposits: [DEPOSIT],
  date_created: 'November 14, 2026',
  state: 'awaiting_deposit',
  state_reason: 'accepted',
  state_message: 'The transaction was accepted.',
  next_action: 'Waiting for the tokens to arrive at the deposit address.',
  exception: null,
  mode: 'test',
  fee: 0,
  net_amount: 25000.5,
  received_amount: 0,
  missing_amount: 25000.5,
  refunded_amount: 0,
  refunds: [],
  payout: null,
  tx_hash: null,
  explorer_url: null,
  warnings: [],
  ...TIMES,
};

export const VENDOR_LIST = [
  { vendorName: 'Sandbox Vendor One', vendorNumber: '9900000011', vendorBank: 'Providus Bank' },
];

export const RATES = {
  USD: 1361.5,
  GBP: 1826.5,
  EUR: 1576.3,
  TRY: 29.46,
  CNY: 200.93,
  CHF: 1712.6,
  CAD: 975.1,
  AED: 370.69,
  KES: 10.5,
};

export const TIMELINE = [
  {
    from: null,
    to: 'awaiting_payment',
    actor: 'key_01kfz3m8q4w7x2v9c5b6n1h0ja',
    reason: 'accepted',
    message: 'The transaction was accepted.',
    evidence: null,
    at: TIMES.created_at,
  },
  {
    from: 'awaiting_payment',
    to: 'paid',
    actor: 'matching',
    reason: 'payment_found',
    message: 'The bank reported the payment.',
    evidence: { bank_credit: 'crd_01kfz3p2r8k4t6m1v7x9c3b5nd' },
    at: '2026-11-14T09:30:02.000Z',
  },
];
