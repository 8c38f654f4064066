// The shapes that several console routes answer with or accept, for the checks of bodies and for the OpenAPI document.
import { type Static, type TSchema, Type } from 'typebox';
import { KEY_SCOPES } from '../../domain/catalogue/secret-keys.ts';
import { BUSINESS_ROLES, OPERATOR_ROLES } from '../../domain/people/roles.ts';
import { MODES } from '../../domain/values/mode.ts';
import { TransactionSchema } from '../reference/transaction-schema.ts';

/** What a renderer gives for a schema: it is not changed afterwards. */
export type Shown<S extends TSchema> = Fixed<Static<S>>;

type Fixed<T> = T extends readonly (infer Each)[]
  ? readonly Fixed<Each>[]
  : T extends object
    ? { readonly [Name in keyof T]: Fixed<T[Name]> }
    : T;

/** A schema that the document has once, under this name. The types of the pages have the name, too. */
export const named = <S extends TSchema>(name: string, schema: S): S => ({ ...schema, $id: name });

/** The value, or null. */
export const nullable = <S extends TSchema>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] });

/** One of these texts. */
export const oneOf = <Each extends string>(
  values: readonly Each[],
  more: { readonly description?: string; readonly default?: Each } = {},
) => Type.Unsafe<Each>(Type.String({ enum: [...values], ...more }));

export const oneOfThese = <Each extends string>(values: readonly Each[]) =>
  oneOf(values, { description: `one of ${values.join(', ')}.` });

/** Texts, each under a name that is not known before. */
export const textsByName = (description: string) =>
  Type.Unsafe<Readonly<Record<string, string>>>({
    ...{ type: 'object', additionalProperties: { type: 'string' }, description },
  });

export const time = Type.String({ format: 'date-time' });
export const mode = Type.Union([Type.Literal('live'), Type.Literal('test')], {
  description: `one of ${MODES.join(', ')}.`,
});
export const businessRole = oneOfThese(BUSINESS_ROLES);
export const operatorRole = oneOfThese(OPERATOR_ROLES);
export const id = Type.String({ minLength: 1, maxLength: 200, description: 'an id.' });
export const email = Type.String({ minLength: 1, maxLength: 320, description: 'an e-mail address.' });
/** Longer than any password may be: the rules for new ones name their own bounds. */
export const password = Type.String({ minLength: 1, maxLength: 1_000, description: 'the password.' });
export const token = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'the token, as it was given.',
});
export const reason = Type.String({ minLength: 1, maxLength: 500, description: 'why, in one line.' });
/** A record field by field: which it has differs by its kind, and no page reads them one by one. */
export const record = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
});

const code = Type.String({ minLength: 1, maxLength: 64 });
/** What an authenticator in the browser answers; its members are those of WebAuthn. */
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

export const keyScope = Type.Union([Type.Literal('full'), Type.Literal('read')], {
  description: `one of ${KEY_SCOPES.join(', ')}: a read key sends GET requests only.`,
});
const { refunds, ...ofApi } = TransactionSchema.properties;
/** As the API shows it; its refunds are left out of events alone. */
export const transaction = named(
  'Transaction',
  Type.Object({ ...ofApi, refunds: Type.Array(named('Refund', refunds.items)) }),
);

export const wallet = named('Wallet', Type.Object({ network: Type.String(), wallet_address: Type.String() }));

export const bank = named('Bank', Type.Object({ code: Type.String(), name: Type.String() }));

export const recoveryCodes = Type.Array(Type.String(), {
  description: 'Shown once. Each signs in once, when the authenticator is lost.',
});

export const totpSecret = {
  secret: Type.String({ description: 'In base 32, to be typed into an authenticator application.' }),
  uri: Type.String({ description: 'The same as an otpauth link.' }),
};

/** For navigator.credentials in the browser. */
export const passkeyOptions = {
  options: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
};
