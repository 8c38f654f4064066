// What people book about naira at our banks: the kinds, and the body that is sent.
import type { PreviewNairaBody } from '../../../api/console-types.ts';

type Charge = NonNullable<PreviewNairaBody['charge']>;

/** What a person has filled in: every field, also those that the kind does not need. */
export type NairaFields = Omit<Required<PreviewNairaBody>, 'mode' | 'to' | 'charge'> & {
  readonly to: string;
  readonly charge: Charge;
};

export const NO_FIELDS: NairaFields = {
  ...{ kind: 'put_in', charge: 'transfer_fee', account: '', to: '', amount: '', day: '', reference: '' },
};

interface Kind {
  readonly value: NairaFields['kind'];
  readonly label: string;
  /** The label of its account. */
  readonly account: string;
  readonly asksCharge: boolean;
}

export const KINDS: readonly Kind[] = [
  { value: 'put_in', label: 'Naira put in by us', account: 'Into account', asksCharge: false },
  { value: 'taken_out', label: 'Naira taken out by us', account: 'From account', asksCharge: false },
  { value: 'moved', label: 'Naira moved between our accounts', account: 'From account', asksCharge: false },
  {
    value: 'charge_seen',
    label: 'A charge or levy of the bank',
    account: 'Taken from account',
    asksCharge: true,
  },
  {
    value: 'charge_returned',
    label: 'A charge or levy given back',
    account: 'Given back to account',
    asksCharge: true,
  },
];

export const CHARGES = [
  { value: 'transfer_fee', label: 'Transfer fee' },
  { value: 'vat', label: 'Value added tax' },
  { value: 'stamp_duty', label: 'Stamp duty' },
] as const satisfies readonly { readonly value: Charge; readonly label: string }[];

const AMOUNT = /^(0|[1-9]\d{0,12})(\.\d{1,2})?$/;

/** Null: something is not given yet. */
export function bodyOf(mode: PreviewNairaBody['mode'], fields: NairaFields): PreviewNairaBody | null {
  const { kind, charge, account, to, day, reference } = fields;
  const amount = fields.amount.replaceAll(',', '').trim();
  if (account === '' || day === '' || reference.trim() === '' || !AMOUNT.test(amount)) return null;
  if (kind === 'moved' && to === '') return null;
  const isCharge = kind === 'charge_seen' || kind === 'charge_returned';
  return {
    ...{ mode, kind, account, amount, day, reference: reference.trim() },
    ...(kind === 'moved' && { to }),
    ...(isCharge && { charge }),
  };
}
