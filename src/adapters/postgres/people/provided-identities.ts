// Stores identities of an identity provider in PostgreSQL. A sign-in attempt can be used only once. A person is bound to one
// identity of a provider, and the binding and its audit log entry are one commit.
import type { ProviderAttempt, ProviderStore } from '../../../ports/people/identity-provider.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';

/**
 * Each new sign-in attempt deletes up to this many abandoned attempts. So the table never holds more than about ten minutes of
 * attempts.
 */
const FORGET_AT_ONCE = 20;

export function makeProviderStore(database: Database): ProviderStore {
  const logged = makeRunAudited(database);
  return {
    addAttempt: async (keyHash, { state, nonce, verifier }, { atMs, expiresAtMs }) => {
      await database.query({
        text: `with forgotten as (delete from provider_attempts where key_hash in
                 (select key_hash from provider_attempts where expires_at <= $6 order by expires_at limit $7
                  for update skip locked))
               insert into provider_attempts (key_hash, state, nonce, verifier, expires_at)
               values ($1, $2, $3, $4, $5)`,
        values: [keyHash, state, nonce, verifier, new Date(expiresAtMs), new Date(atMs), FORGET_AT_ONCE],
      });
    },
    takeAttempt: async (keyHash, atMs) => {
      const { rows } = await database.query<ProviderAttempt>({
        text: `delete from provider_attempts where key_hash = $1 and expires_at > $2
               returning state, nonce, verifier`,
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
    bind: ({ issuer, subject }, personId, atMs) =>
      logged(
        { actor: personId, atMs },
        'identity_bound',
        { person: personId, issuer, subject },
        async (client) => {
          const { rowCount } = await client.query(
            `insert into provided_identities (issuer, subject, person_id, bound_at) values ($1, $2, $3, $4)
             on conflict do nothing`,
            [issuer, subject, personId, new Date(atMs)],
          );
          return rowCount === 1;
        },
      ),
  };
}
