// Stores passkeys. A credential belongs to one person, and its counter only rises.
import type { SecondFactorStore } from '../../../ports/people/second-factors.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import { enrolSecondFactor, lockAndCheckSecondFactor, runOrRefuse } from './enrol-second-factor.ts';
import { PASSKEY } from './rows.ts';

type PasskeyFactors = Pick<
  SecondFactorStore,
  'passkey' | 'passkeysOf' | 'addPasskey' | 'usePasskey' | 'removePasskey'
>;

export function makePasskeyFactors(database: Database): PasskeyFactors {
  const logged = makeRunAudited(database);
  return {
    passkey: async (credentialId) => {
      const { rows } = await database.query({
        text: `select ${PASSKEY.list()} from passkeys where credential_id = $1`,
        values: [credentialId],
      });
      return rows[0] && PASSKEY.read(rows[0]);
    },
    passkeysOf: async (personId) => {
      const { rows } = await database.query({
        text: `select ${PASSKEY.list()} from passkeys where person_id = $1 order by created_at, credential_id`,
        values: [personId],
      });
      return rows.map(PASSKEY.read);
    },
    addPasskey: (passkey, enrolment, doing) =>
      enrolSecondFactor(logged, passkey.personId, enrolment, doing, 'passkey', async (client) => {
        await client.query(
          `insert into passkeys (credential_id, person_id, public_key, sign_count, transports, name, created_at)
           values ($1, $2, $3, $4, $5, $6, $7)`,
          [
            passkey.credentialId,
            passkey.personId,
            Buffer.from(passkey.publicKey),
            passkey.signCount,
            passkey.transports,
            passkey.name,
            new Date(doing.atMs),
          ],
        );
        return true;
      }),
    usePasskey: async (credentialId, signCount, atMs) => {
      const { rowCount } = await database.query({
        text: `update passkeys set sign_count = $2, used_at = $3
               where credential_id = $1 and ($2 > sign_count or ($2 = 0 and sign_count = 0))`,
        values: [credentialId, signCount, new Date(atMs)],
      });
      return rowCount === 1;
    },
    removePasskey: (personId, credentialId, doing) =>
      runOrRefuse((refuse) =>
        logged(doing, 'second_factor_removed', { person: personId, kind: 'passkey' }, async (client) => {
          await client.query('select from people where id = $1 for update', [personId]);
          const { rowCount } = await client.query(
            'delete from passkeys where person_id = $1 and credential_id = $2',
            [personId, credentialId],
          );
          if (rowCount === 0) return 'not_found';
          return (await lockAndCheckSecondFactor(client, personId))
            ? 'removed'
            : refuse('last_second_factor');
        }),
      ),
  };
}
