// Identities of an identity provider in PostgreSQL. An attempt is taken once; a person is bound to one identity of a provider.
import type { ProviderAttempt, ProviderStore } from '../../../ports/people/identity-provider.ts';
import type { Database } from '../connection/database.ts';

export function makeProviderStore(database: Database): ProviderStore {
  return {
    addAttempt: async (keyHash, { state, nonce, verifier }, expiresAtMs) => {
      await database.query({
        text: `insert into provider_attempts (key_hash, state, nonce, verifier, expires_at)
               values ($1, $2, $3, $4, $5)`,
        values: [keyHash, state, nonce, verifier, new Date(expiresAtMs)],
      });
    },
    // Those that never came back are forgotten with the next one that does.
    takeAttempt: async (keyHash, atMs) => {
      const { rows } = await database.query<ProviderAttempt>({
        text: `with ended as (delete from provider_attempts where expires_at <= $2)
               delete from provider_attempts where key_hash = $1 and expires_at > $2 returning state, nonce, verifier`,
        values: [keyHash, new Date(atMs)],
      });
      return rows[0];
    },
    personOf: async ({ issuer, subject }) => {
      const { rows } = await database.query<{ person_id: string }>({
        text: 'select person_id from provided_identities where issuer = $1 and subject = $2',
        values: [issuer, subject],
      });
      return rows[0]?.person_id;
    },
    bind: async ({ issuer, subject }, personId, atMs) => {
      const { rowCount } = await database.query({
        text: `insert into provided_identities (issuer, subject, person_id, bound_at) values ($1, $2, $3, $4)
               on conflict do nothing`,
        values: [issuer, subject, personId, new Date(atMs)],
      });
      return rowCount === 1;
    },
  };
}
