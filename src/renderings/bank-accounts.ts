// Renders our bank accounts and their balances in the ledger.
import { type TObject, Type } from 'typebox';
import type { OperatorBankAccount, OperatorBankAccounts } from '../app/operations/read-bank-accounts.ts';
import * as schemas from './parts/schemas.ts';
import { nairaText } from './parts/values.ts';

const text = Type.String();
const amount = Type.String({ description: 'In naira, for example "15000.00".' });

const bankAccount = schemas.nameSchema(
  'BankAccount',
  Type.Object({
    account: Type.String({ description: 'Its name in bookings.' }),
    kind: schemas.oneOf(['vendor', 'payout']),
    number: schemas.nullable(text),
    bank: schemas.nullable(text),
    used_by: Type.Array(text, {
      description: 'Vendors whose payments go into the account, or rails that pay from it.',
    }),
    balance: Type.String({ description: 'free and reserved together.' }),
    ...{ free: amount, reserved: amount },
  }),
);

export const accountsAnswer = {
  accounts: Type.Array(bankAccount),
  in_transit: Type.String({ description: 'Money that left one account and is not yet in the other.' }),
};

export function renderAccounts({
  accounts,
  transitMinor,
}: OperatorBankAccounts): schemas.JsonOf<TObject<typeof accountsAnswer>> {
  return { accounts: accounts.map(renderAccount), in_transit: nairaText(transitMinor) };
}

function renderAccount(account: OperatorBankAccount): schemas.JsonOf<typeof bankAccount> {
  const { text: named, name, number, bankName, usedBy, freeMinor, reservedMinor } = account;
  return {
    kind: name === 'bank_in' ? 'vendor' : 'payout',
    ...{ account: named, number, bank: bankName },
    used_by: usedBy,
    balance: nairaText(freeMinor + reservedMinor),
    free: nairaText(freeMinor),
    reserved: nairaText(reservedMinor),
  };
}
