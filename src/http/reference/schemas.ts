// The wire's shapes, once: they check the shape of requests, type the handlers and become the OpenAPI document.
// Patterns and bounds are told here and enforced in app/intake/field-rules.ts, so that shape (400) comes before value (422).
import { type Static, Type } from 'typebox';
import { CURRENCIES } from '../../domain/catalogue/rates.ts';
import { EXCEPTIONS } from '../../domain/records/exceptions.ts';
import { STATES } from '../../domain/records/states.ts';
import { REFUSAL_CODES } from '../../domain/values/refusals.ts';

const nullable = (type: 'string', rest: object) =>
  Type.Unsafe<string | null>({ type: [type, 'null'], ...rest });

const businessFields = {
  business_id: Type.String({ description: 'Business identifier from the dashboard.' }),
  link_tag: Type.String({ description: 'Business link tag from the dashboard.' }),
};

const walletFields = {
  network: Type.Optional(
    Type.String({
      description: 'Stellar, Polygon, Solana or Avalanche, in any case. Goes together with wallet_address.',
      examples: ['Polygon'],
    }),
  ),
  wallet_address: Type.Optional(Type.String({ description: 'The wallet. Goes together with network.' })),
};

const referenceField = {
  reference: Type.Optional(
    Type.String({
      description: 'Your own reference, unique per business and mode. Made by the service when absent.',
      pattern: '^[A-Za-z0-9._:-]{1,64}$',
    }),
  ),
};

export const OnrampBody = Type.Object(
  {
    ...businessFields,
    type: Type.String({ description: 'Must be buy_ramp.', enum: ['buy_ramp'] }),
    amount: Type.Number({
      description: 'Naira to on-ramp, which is also the amount to be sent to the vendor. At most 2 decimals.',
      minimum: 15_000,
    }),
    vendor_name: Type.String({ description: 'From the vendor list.' }),
    vendor_bank: Type.String({ description: 'From the vendor list. Aliases of the bank are understood.' }),
    vendor_number: Type.String({ description: 'From the vendor list.' }),
    bank_name: Type.String({ description: 'Proof of payment: the bank used to pay the vendor account.' }),
    account_number: Type.String({
      description: 'Proof of payment: the account number of that bank account, 10 digits.',
      pattern: '^[0-9]{10}$',
    }),
    account_name: Type.Optional(
      Type.String({ description: 'The name on that account; when given it takes part in matching.' }),
    ),
    ...walletFields,
    ...referenceField,
  },
  { title: 'Buy request' },
);

export const OfframpBody = Type.Object(
  {
    ...businessFields,
    type: Type.String({ description: 'Must be sell_ramp.', enum: ['sell_ramp'] }),
    amount: Type.Number({ description: 'Naira to pay out, and tokens to send in. At most 2 decimals.' }),
    account_name: Type.String({ description: 'Name of the account that is paid.' }),
    account_number: Type.String({
      description: 'Number of the account that is paid, 10 digits.',
      pattern: '^[0-9]{10}$',
    }),
    bank_name: Type.String({ description: 'Bank of the account that is paid; aliases are understood.' }),
    ...walletFields,
    ...referenceField,
  },
  { title: 'Sell request' },
);

export const WalletBody = Type.Object(
  {
    network: Type.String({ description: 'Stellar, Polygon, Solana or Avalanche.' }),
    wallet_address: Type.String({ description: 'The wallet on that network.' }),
  },
  { title: 'Wallet' },
);

const Deposit = Type.Object({
  network: Type.String(),
  address: Type.String({ description: 'Send the tokens here.' }),
  memo: nullable('string', { description: 'Must be attached to the transfer when not null.' }),
  memo_type: nullable('string', { description: 'Kind of memo, for example id.' }),
  asset: Type.String(),
  expected_amount: Type.Number(),
  confirmations: Type.Integer({ description: 'Blocks after which the deposit counts.' }),
  expires_at: Type.String({ format: 'date-time' }),
});

export const TransactionSchema = Type.Object(
  {
    transaction_id: Type.String({ description: 'Opaque, time-ordered, starts with txn_.' }),
    business: Type.Object({ business_id: Type.String() }),
    type: Type.String({ enum: ['Buy', 'Sell'] }),
    reference: Type.String(),
    amount: Type.Number({ description: 'Naira.' }),
    link_account_name: Type.Optional(
      Type.String({ description: 'Buy: name of the vendor account paid into.' }),
    ),
    link_account_number: Type.Optional(Type.String({ description: 'Buy: number of the vendor account.' })),
    link_bank_name: Type.Optional(Type.String({ description: 'Buy: bank of the vendor account.' })),
    account_number: Type.String({ description: 'Buy: the payer’s account. Sell: the account that is paid.' }),
    account_name: nullable('string', { description: 'Name on that account, when given.' }),
    bank_name: Type.String(),
    link_tag: Type.String(),
    network: nullable('string', {}),
    wallet_address: nullable('string', { description: 'Buy: receives the tokens. Sell: receives a refund.' }),
    deposit: Type.Optional(
      Type.Unsafe<Static<typeof Deposit> | null>({
        description: 'Sell on one named network: where the tokens go.',
        anyOf: [Deposit, { type: 'null' }],
      }),
    ),
    deposits: Type.Optional(
      Type.Array(Deposit, { description: 'Sell: one instruction per network the tokens may come on.' }),
    ),
    date_created: Type.String({ description: 'Calendar date in Lagos, for example November 14, 2026.' }),
    state: Type.String({ enum: [...STATES] }),
    state_reason: nullable('string', {}),
    next_action: nullable('string', { description: 'What is awaited, in one sentence.' }),
    exception: nullable('string', {
      description: `What is out of the ordinary; docs/states.md says what each word means: ${EXCEPTIONS.join(', ')}.`,
    }),
    mode: Type.String({ enum: ['live', 'test'] }),
    fee: Type.Number(),
    net_amount: Type.Number({ description: 'amount minus fee.' }),
    refunded_amount: Type.Number({ description: 'What was given back so far, in naira.' }),
    tx_hash: nullable('string', {
      description: 'Buy: hash of the token transfer, once sent. Sell: hash of the deposit, once seen.',
    }),
    explorer_url: nullable('string', {}),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    expires_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Transaction', title: 'Transaction' },
);

const answerFields = {
  status: Type.String({ enum: ['success'] }),
  message: Type.String(),
};

export const TransactionAnswer = Type.Object({ ...answerFields, transaction: Type.Ref('Transaction') });

export const TransactionListAnswer = Type.Object({
  ...answerFields,
  transactions: Type.Array(Type.Ref('Transaction')),
  next_cursor: nullable('string', { description: 'Pass as cursor for the next page; null on the last.' }),
});

export const TimelineAnswer = Type.Object({
  ...answerFields,
  timeline: Type.Array(
    Type.Object({
      from: nullable('string', { description: 'Null for the acceptance.' }),
      to: Type.String({ enum: [...STATES] }),
      actor: Type.String({
        description: 'A key, operator, or a part of the service: matching, settlement, bank, network.',
      }),
      reason: Type.String(),
      evidence: Type.Unsafe<Record<string, unknown> | null>({
        type: ['object', 'null'],
        description:
          'What it rests on: bank_credit, deposit, network, tx_hash, movement, reference, attempt, case.',
      }),
      at: Type.String({ format: 'date-time' }),
    }),
  ),
});

export const VendorListAnswer = Type.Object({
  ...answerFields,
  VendorList: Type.Array(
    Type.Object({
      vendorName: Type.String(),
      vendorNumber: Type.String({ description: 'Account number, 10 digits.' }),
      vendorBank: Type.String(),
    }),
  ),
});

export const RatesAnswer = Type.Object(Object.fromEntries(CURRENCIES.map((code) => [code, Type.Number()])), {
  description: 'Naira per one unit of the currency, at most 4 decimals.',
});

export const ErrorAnswer = Type.Object(
  {
    status: Type.String({ enum: ['error'] }),
    message: Type.String(),
    code: Type.String({ enum: [...REFUSAL_CODES] }),
    errors: Type.Array(
      Type.Object({
        field: Type.String(),
        code: Type.String({ enum: [...REFUSAL_CODES] }),
        message: Type.String(),
      }),
    ),
    request_id: Type.String(),
  },
  { $id: 'Error', title: 'Error' },
);
