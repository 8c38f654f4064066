// Renders secret keys. Lists omit the text of the keys, and the text of a new key is shown once.
import { type TObject, Type } from 'typebox';
import type { IssuedKey } from '../app/back-office/manage-keys.ts';
import type { StoredKey } from '../ports/back-office.ts';
import { type JsonOf, keyScope, mode, nameSchema, nullable, time } from './parts/schemas.ts';
import { isoOrNull, isoTime } from './parts/values.ts';

export const keyShape = nameSchema(
  'Key',
  Type.Object({
    key_id: Type.String(),
    business_id: Type.String(),
    mode,
    name: Type.String({ description: 'The name that the owner gave the key; may be empty.' }),
    scope: keyScope,
    hint: Type.String({ description: 'How the secret key begins and ends.' }),
    created_at: time,
    expires_at: nullable(time),
    revoked_at: nullable(time),
    last_used_at: nullable(time),
  }),
);

export function renderKey({
  id,
  businessId,
  mode,
  name,
  scope,
  hint,
  ...key
}: StoredKey): JsonOf<typeof keyShape> {
  return {
    key_id: id,
    business_id: businessId,
    mode,
    name,
    scope,
    hint,
    created_at: isoTime(key.createdAtMs),
    expires_at: isoOrNull(key.expiresAtMs),
    revoked_at: isoOrNull(key.revokedAtMs),
    last_used_at: isoOrNull(key.lastUsedAtMs),
  };
}

export const issuedKeyAnswer = {
  key_id: Type.String(),
  secret_key: Type.String({ description: 'Shown once: the service keeps only its hash.' }),
};

export function renderIssuedKey({ id, secretKey }: IssuedKey): JsonOf<TObject<typeof issuedKeyAnswer>> {
  return { key_id: id, secret_key: secretKey };
}
