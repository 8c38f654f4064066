// The schemas of requests and responses. They check the shape of requests, type the handlers and are part of the OpenAPI
// document. Patterns and bounds in them are only documentation: app/input/field-rules.ts enforces these, so that a wrong shape
// (400) is reported before a wrong value (422).
import { Type } from 'typebox';
import { CURRENCIES } from '../../domain/rates/rates.ts';
import { STATES } from '../../domain/records/states.ts';
import { REFUSAL_CODES } from '../../domain/values/refusals.ts';
import { nullable } from './transaction-schema.ts';

const businessFields = {
  business_id: Type.String({ description: 'Identifier of your business, from the dashboard.' }),
  link_tag: Type.String({ description: 'Link tag of your business, from the dashboard.' }),
};

const walletFields = {
  network: Type.Optional(
    Type.String({
      description:
        'Stellar, Polygon, Solana or Avalanche, in upper or lower case. Send it together with wallet_address.',
      examples: ['Polygon'],
    }),
  ),
  wallet_address: Type.Optional(
    Type.String({ description: 'Address of the wallet on that network. Send it together with network.' }),
  ),
};

const referenceField = {
  reference: Type.Optional(
    Type.String({
      description:
        'Your own reference, unique per business and mode. The service generates one if it is absent.',
      pattern: '^[A-Za-z0-9._:-]{1,64}$',
    }),
  ),
};

const quoteField = {
  quote_id: Type.Optional(
    Type.String({
      description:
        'A quote from POST /quotes/v1. amount must equal its naira_amount, and network must be its network, if it has one; its fee applies. A quote can be used once.',
    }),
  ),
};

export const OnrampBody = Type.Object(
  {
    ...businessFields,
    type: Type.String({ description: 'Must be buy_ramp.', enum: ['buy_ramp'] }),
    amount: Type.Number({
      description: 'Amount in naira to convert and to pay to the vendor. At most 2 decimals.',
      minimum: 15_000,
    }),
    vendor_name: Type.String({ description: 'Account name from the vendor list.' }),
    vendor_bank: Type.String({
      description: 'Bank from the vendor list. Other known names of the bank are accepted.',
    }),
    vendor_number: Type.String({ description: 'Account number from the vendor list.' }),
    bank_name: Type.String({
      description: 'Proof of payment: the bank of the account that pays the vendor.',
    }),
    account_number: Type.String({
      description: 'Proof of payment: the number of that account, 10 digits.',
      pattern: '^[0-9]{10}$',
    }),
    account_name: Type.Optional(
      Type.String({
        description: 'The name on that account. If you send it, the name of the payer must match it.',
      }),
    ),
    ...walletFields,
    ...referenceField,
    ...quoteField,
  },
  { title: 'Buy request' },
);

export const OfframpBody = Type.Object(
  {
    ...businessFields,
    type: Type.String({ description: 'Must be sell_ramp.', enum: ['sell_ramp'] }),
    amount: Type.Number({
      description: 'Amount in naira to pay out, and the amount of tokens to send. At most 2 decimals.',
    }),
    account_name: Type.String({ description: 'Name of the account that receives the naira.' }),
    account_number: Type.String({
      description: 'Number of the account that receives the naira, 10 digits.',
      pattern: '^[0-9]{10}$',
    }),
    bank_name: Type.String({
      description:
        'Bank of the account that receives the naira: its code, name or an alias from GET /banks/v1, or its NIP or CBN code.',
    }),
    ...walletFields,
    ...referenceField,
    ...quoteField,
  },
  { title: 'Sell request' },
);

export const WalletBody = Type.Object(
  {
    network: Type.String({ description: 'Stellar, Polygon, Solana or Avalanche.' }),
    wallet_address: Type.String({ description: 'Address of the wallet on that network.' }),
  },
  { title: 'Wallet' },
);

const answerFields = {
  status: Type.String({ enum: ['success'] }),
  message: Type.String(),
};

export const TransactionAnswer = Type.Object({ ...answerFields, transaction: Type.Ref('Transaction') });

export const TransactionListAnswer = Type.Object({
  ...answerFields,
  transactions: Type.Array(Type.Ref('Transaction')),
  next_cursor: nullable('string', {
    description: 'Send it as cursor to get the next page; null on the last page.',
  }),
});

export const TimelineAnswer = Type.Object({
  ...answerFields,
  timeline: Type.Array(
    Type.Object({
      from: nullable('string', { description: 'The previous state; null for the acceptance.' }),
      to: Type.String({ enum: [...STATES] }),
      actor: Type.String({
        description:
          'Who made the change: one of your keys, you (a member of your business), operator, or a part of the service ' +
          '(matching, settlement, bank, network, service).',
      }),
      reason: Type.String({ description: 'The reason for the change, as a code for programs.' }),
      message: Type.String({
        description: 'The reason as a sentence. Its text may change: use reason in programs.',
      }),
      evidence: Type.Unsafe<Record<string, unknown> | null>({
        type: ['object', 'null'],
        description:
          'The records behind the change: bank_credit, deposit, network, tx_hash, movement, reference, attempt, case.',
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
  description: 'Naira for one unit of each currency, with at most 4 decimals.',
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
