// Defines request fields that several console routes accept, and response fields that only the session routes return.
import { Type } from 'typebox';
import { nameSchema } from '../../renderings/parts/schemas.ts';
import { TransactionSchema } from '../reference/transaction-schema.ts';

export const id = Type.String({ minLength: 1, maxLength: 200, description: 'an id.' });
export const email = Type.String({ minLength: 1, maxLength: 320, description: 'an e-mail address.' });
/** This maximum is longer than any allowed password. Other rules check the length of new passwords. */
export const password = Type.String({ minLength: 1, maxLength: 1_000, description: 'the password.' });
export const token = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'the token, as it was given.',
});
export const reason = Type.String({ minLength: 1, maxLength: 500, description: 'why, in one line.' });
const code = Type.String({ minLength: 1, maxLength: 64 });
/** The response of an authenticator to the browser, with the fields that WebAuthn defines. */
export const passkeyAnswer = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 2_000 }) },
  { additionalProperties: true, description: 'the answer of the authenticator, as JSON.' },
);

export const factor = Type.Union(
  [
    Type.Object({ kind: Type.Literal('totp'), code }),
    Type.Object({ kind: Type.Literal('recovery_code'), code }),
    Type.Object({ kind: Type.Literal('passkey'), answer: passkeyAnswer }),
  ],
  { description: 'an object with kind (totp, recovery_code or passkey) and code or answer.' },
);

const { refunds, ...ofApi } = TransactionSchema.properties;
/** A transaction as the API shows it. Events show a transaction without its refunds. */
export const transaction = nameSchema(
  'Transaction',
  Type.Object({ ...ofApi, refunds: Type.Array(nameSchema('Refund', refunds.items)) }),
);

export const recoveryCodes = Type.Array(Type.String(), {
  description: 'Shown once. If the authenticator is lost, each code can be used for one sign-in.',
});

export const totpSecret = {
  secret: Type.String({ description: 'The secret in base 32, to type into an authenticator application.' }),
  uri: Type.String({ description: 'The same secret as an otpauth link.' }),
};

export const passkeyOptions = {
  options: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
};
