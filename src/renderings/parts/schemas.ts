// Parts of schemas that several renderings share. One schema describes a record for three uses: the console's OpenAPI document,
// its pages, and the output of --json.
import { type Static, type TSchema, Type } from 'typebox';
import { KEY_SCOPES } from '../../domain/catalogue/secret-keys.ts';
import { BUSINESS_ROLES, OPERATOR_ROLES } from '../../domain/people/roles.ts';
import { MODES } from '../../domain/values/mode.ts';

export type JsonOf<S extends TSchema> = DeepReadonly<Static<S>>;

type DeepReadonly<T> = T extends readonly (infer Each)[]
  ? readonly DeepReadonly<Each>[]
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T;

/** Makes a schema that appears once in the OpenAPI document, under this name. The types in the pages have the same name. */
export const nameSchema = <S extends TSchema>(name: string, schema: S): S => ({ ...schema, $id: name });

export const nullable = <S extends TSchema>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] });

export const oneOf = <Each extends string>(
  values: readonly Each[],
  more: { readonly description?: string; readonly default?: Each } = {},
) => Type.Unsafe<Each>(Type.String({ enum: [...values], ...more }));

export const oneOfDescribed = <Each extends string>(values: readonly Each[]) =>
  oneOf(values, { description: `one of ${values.join(', ')}.` });

/** Texts by name. The names are not known in advance. */
export const textsByName = (description: string) =>
  Type.Unsafe<Readonly<Record<string, string>>>({
    ...{ type: 'object', additionalProperties: { type: 'string' }, description },
  });

export const time = Type.String({ format: 'date-time' });
export const mode = Type.Union([Type.Literal('live'), Type.Literal('test')], {
  description: `one of ${MODES.join(', ')}.`,
});
export const businessRole = oneOfDescribed(BUSINESS_ROLES);
export const operatorRole = oneOfDescribed(OPERATOR_ROLES);
/** A record that is rendered field by field. Its fields depend on its kind, and no page reads a single field. */
export const record = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
});

export const keyScope = Type.Union([Type.Literal('full'), Type.Literal('read')], {
  description: `one of ${KEY_SCOPES.join(', ')}: a read key sends GET requests only.`,
});
export const wallet = nameSchema(
  'Wallet',
  Type.Object({ network: Type.String(), wallet_address: Type.String() }),
);

export const bank = nameSchema('Bank', Type.Object({ code: Type.String(), name: Type.String() }));
