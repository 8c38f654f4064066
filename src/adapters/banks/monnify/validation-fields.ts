// The names of the fields in Monnify's question before it pays, and in our answer. They are not public, so an operator can name others.

/** As in a disbursement. */
export const VALIDATION_FIELDS = {
  reference: 'reference',
  amount: 'amount',
  account: 'destinationAccountNumber',
  bank: 'destinationBankCode',
  currency: 'currency',
  /** The wallet that is to pay. */
  source: 'sourceAccountNumber',
  /** The orders of a batch. */
  list: 'transactionList',
  /** Of our answer. */
  answer: 'action',
} as const;

export type ValidationFields = Readonly<Record<keyof typeof VALIDATION_FIELDS, string>>;
