// The schema of a transaction in responses: every field that an integrator reads, with its meaning.
import { type Static, Type } from 'typebox';
import { PUBLIC_EXCEPTIONS } from '../../domain/records/public-reasons.ts';
import { STATES } from '../../domain/records/states.ts';

export const nullable = (type: 'string', rest: object) =>
  Type.Unsafe<string | null>({ type: [type, 'null'], ...rest });

const Deposit = Type.Object({
  network: Type.String(),
  address: Type.String({ description: 'Send the tokens here.' }),
  memo: nullable('string', { description: 'If it is not null, the transfer must contain this memo.' }),
  memo_type: nullable('string', { description: 'Kind of memo, for example id.' }),
  asset: Type.String(),
  expected_amount: Type.Number(),
  confirmations: Type.Integer({ description: 'Number of blocks after which the deposit is final.' }),
  expires_at: Type.String({ format: 'date-time' }),
});

const Refund = Type.Object({
  refund_id: Type.String({ description: 'Starts with mov_; the timeline names it as movement.' }),
  amount: Type.Number({
    description: 'In naira. For a refund in tokens the number is the same: one token is one naira.',
  }),
  state: Type.String({
    enum: ['pending', 'sending', 'done', 'failed', 'unknown', 'returned'],
    description:
      'pending: not sent yet; if destination is null, it waits for a destination. sending: submitted to the bank or the network. ' +
      'unknown: its outcome is being checked. done: it arrived. failed: it did not arrive and never will; the operator makes ' +
      'another one. returned: it was paid, and the bank returned it.',
  }),
  destination: Type.Unsafe<object | null>({
    description:
      'By bank: bank_code, bank_name, account_number, account_name. Tokens: network, wallet_address. Null while it is ' +
      'unknown. If the account is not the one in your request, only its last four digits are shown, and no name.',
    anyOf: [
      Type.Object({
        bank_code: Type.String(),
        bank_name: nullable('string', {}),
        account_number: Type.String(),
        account_name: nullable('string', {}),
      }),
      Type.Object({ network: Type.String(), wallet_address: Type.String() }),
      { type: 'null' },
    ],
  }),
  tx_hash: nullable('string', { description: 'Tokens: the hash of the transfer, once it is sent.' }),
  explorer_url: nullable('string', {}),
  bank_reference: nullable('string', {
    description: 'By bank: our reference at the bank, once it is sent.',
  }),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
});

const Payout = Type.Object({
  bank_reference: Type.String({ description: 'Our reference for the payout at the bank.' }),
  state: Type.String({ enum: ['pending', 'sending', 'done', 'failed', 'unknown', 'returned'] }),
});

export const TransactionSchema = Type.Object(
  {
    transaction_id: Type.String({
      description: 'Starts with txn_. Ids sort by time of creation and are otherwise opaque.',
    }),
    business: Type.Object({ business_id: Type.String() }),
    type: Type.String({ enum: ['Buy', 'Sell'] }),
    reference: Type.String(),
    quote_id: nullable('string', { description: 'The quote of the transaction; null without a quote.' }),
    amount: Type.Number({ description: 'Naira.' }),
    link_account_name: Type.Optional(Type.String({ description: 'Buy: name of the vendor account.' })),
    link_account_number: Type.Optional(Type.String({ description: 'Buy: number of the vendor account.' })),
    link_bank_name: Type.Optional(Type.String({ description: 'Buy: bank of the vendor account.' })),
    account_number: Type.String({
      description: 'Buy: the account of the payer. Sell: the account that receives the naira.',
    }),
    account_name: nullable('string', { description: 'Name on that account, if you sent one.' }),
    bank_name: Type.String(),
    link_tag: Type.String(),
    network: nullable('string', {}),
    wallet_address: nullable('string', {
      description: 'Buy: the wallet that receives the tokens. Sell: the wallet that receives a refund.',
    }),
    deposit: Type.Optional(
      Type.Unsafe<Static<typeof Deposit> | null>({
        description:
          'Sell on one network: where to send the tokens. Null if several networks are possible: see deposits.',
        anyOf: [Deposit, { type: 'null' }],
      }),
    ),
    deposits: Type.Optional(
      Type.Array(Deposit, {
        description: 'Sell: one deposit instruction for each network on which the tokens may arrive.',
      }),
    ),
    date_created: Type.String({ description: 'Date of creation in Lagos, for example November 14, 2026.' }),
    state: Type.String({ enum: [...STATES] }),
    state_reason: Type.String({
      description:
        'Why the transaction is in its state, as a code for programs. Until the first change of state the code is "accepted".',
    }),
    state_message: Type.String({
      description: 'state_reason as a sentence. Its text may change: use state_reason in programs.',
    }),
    next_action: nullable('string', {
      description: 'The next step in one sentence; null when there is none.',
    }),
    exception: nullable('string', {
      description: `A problem of the transaction; null if there is none or the transaction has ended. One of ${PUBLIC_EXCEPTIONS.join(', ')}.`,
    }),
    mode: Type.String({ enum: ['live', 'test'] }),
    fee: Type.Number(),
    net_amount: Type.Number({ description: 'amount minus fee.' }),
    received_amount: Type.Number({
      description:
        'Naira or final tokens that arrived for the transaction, in naira; never more than amount. Money that is returned immediately is ' +
        'only in refunds.',
    }),
    missing_amount: Type.Number({
      description:
        'Amount that must still arrive, in naira; 0 if nothing is missing or expected any more, and while tokens are being confirmed.',
    }),
    refunded_amount: Type.Number({ description: 'Amount refunded so far, in naira.' }),
    refunds: Type.Optional(
      Type.Array(Refund, {
        description: 'Every refund, oldest first. Events do not contain it.',
      }),
    ),
    payout: Type.Optional(
      Type.Unsafe<Static<typeof Payout> | null>({
        description: 'Sell: the bank payout; null until it is made. Events do not contain it.',
        anyOf: [Payout, { type: 'null' }],
      }),
    ),
    tx_hash: nullable('string', {
      description:
        'Buy: hash of the token transfer, once it is sent. Sell: hash of the deposit, once it is seen; for a late deposit, once it is final.',
    }),
    explorer_url: nullable('string', {}),
    warnings: Type.Array(
      Type.Object({
        code: Type.String({
          enum: ['check_digit', 'bank_unknown', 'account_not_found', 'account_name_differs'],
        }),
        field: Type.String(),
        message: Type.String({ description: 'Its text may change: use code in programs.' }),
      }),
      {
        description:
          'Possible mistakes in the request. They do not stop the transaction. check_digit: the account number ' +
          'does not have the NUBAN check digit of its bank. bank_unknown: the bank is not in the directory. account_not_found and ' +
          'account_name_differs (sells only): the result of the account lookup at the bank shortly after the sell was accepted; not in events.',
      },
    ),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    expires_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Transaction', title: 'Transaction' },
);
