// Reads the encrypted TOTP secrets, in the order of the people they belong to.
import type { SealedSecrets } from '../../../ports/people/sealed-secrets.ts';
import type { Database } from '../connection/database.ts';

/** `purpose` returns the purpose for which the secret of a person is encrypted. */
export function makeSealedTotp(database: Database, purpose: (personId: string) => string): SealedSecrets {
  return {
    name: 'totp_secrets',
    after: async (id, limit) => {
      const [personId = '', fingerprint = ''] = id.split(' ');
      const { rows } = await database.query<{ person_id: string; fingerprint: string; sealed: string }>({
        text: `select person_id, fingerprint, sealed from totp_secrets
               where (person_id, fingerprint) > ($1, $2) order by person_id, fingerprint limit $3`,
        values: [personId, fingerprint, limit],
      });
      return rows.map((row) => ({
        id: `${row.person_id} ${row.fingerprint}`,
        sealed: row.sealed,
        purpose: purpose(row.person_id),
      }));
    },
    replace: async ({ id, sealed: from }, to) => {
      const [personId, fingerprint] = id.split(' ');
      const { rowCount } = await database.query({
        text: `update totp_secrets set sealed = $4
               where person_id = $1 and fingerprint = $2 and sealed = $3`,
        values: [personId, fingerprint, from, to],
      });
      return rowCount === 1;
    },
  };
}

/**
 * Whether stored secrets are encrypted with the key file. While there is such a secret, a missing key file counts as lost and
 * must not be created again.
 */
export async function hasSealedSecrets(database: Database): Promise<boolean> {
  const { rows } = await database.query<{ some: boolean }>({
    text: `select exists (select from totp_secrets) or exists (select from webhook_secrets)
      or exists (select from travel_rule_records) or exists (select from privacy_progress where erased > 0) as some`,
  });
  return rows[0]!.some;
}
