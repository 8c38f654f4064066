// Second factors: TOTP secrets, recovery codes and passkeys. Each is used up or moved on in the statement that accepts it.
import type { SignInStore } from '../../../ports/people/sign-in.ts';
import { unlessTaken } from '../back-office/logged.ts';
import type { Database } from '../connection/database.ts';
import { passkeyOf } from './rows.ts';

type Factors = Pick<
  SignInStore,
  | 'secondFactorsOf'
  | 'totpOf'
  | 'setTotp'
  | 'acceptTotpStep'
  | 'useRecoveryCode'
  | 'setRecoveryCodes'
  | 'passkey'
  | 'passkeysOf'
  | 'addPasskey'
  | 'usePasskey'
  | 'removePasskey'
>;

export function factorsIn(database: Database): Factors {
  return { ...codesIn(database), ...passkeysIn(database) };
}

function codesIn(database: Database): Omit<Factors, keyof ReturnType<typeof passkeysIn>> {
  return {
    secondFactorsOf: async (personId) => {
      const { rows } = await database.query<{ totp: boolean; passkeys: string[]; codes: number }>({
        text: `select exists (select from totp_secrets where person_id = $1 and confirmed_at is not null) as totp,
                 array(select credential_id::text from passkeys where person_id = $1 order by created_at) as passkeys,
                 (select count(*)::int from recovery_codes where person_id = $1 and used_at is null) as codes`,
        values: [personId],
      });
      const { totp, passkeys, codes } = rows[0]!;
      return { totp, passkeys, recoveryCodesLeft: codes };
    },
    totpOf: async (personId) => {
      const { rows } = await database.query<{ sealed: string; confirmed: boolean }>({
        text: 'select sealed, confirmed_at is not null as confirmed from totp_secrets where person_id = $1',
        values: [personId],
      });
      return rows[0];
    },
    setTotp: (personId, sealed, fingerprint) =>
      unlessTaken(
        database
          .query({
            text: `insert into totp_secrets (person_id, sealed, fingerprint) values ($1, $2, $3)
                   on conflict (person_id) do update
                   set sealed = excluded.sealed, fingerprint = excluded.fingerprint, confirmed_at = null, last_step = 0`,
            values: [personId, sealed, fingerprint],
          })
          .then(() => 'set' as const),
        'belongs_to_another',
      ),
    acceptTotpStep: async (personId, step, atMs) => {
      const { rowCount } = await database.query({
        text: `update totp_secrets set last_step = $2, confirmed_at = coalesce(confirmed_at, $3)
               where person_id = $1 and last_step < $2`,
        values: [personId, step.toString(), new Date(atMs)],
      });
      return rowCount === 1;
    },
    useRecoveryCode: async (personId, hash, atMs) => {
      const { rowCount } = await database.query({
        text: 'update recovery_codes set used_at = $3 where hash = $2 and person_id = $1 and used_at is null',
        values: [personId, hash, new Date(atMs)],
      });
      return rowCount === 1;
    },
    setRecoveryCodes: (personId, hashes) =>
      database.transaction(async (client) => {
        await client.query('delete from recovery_codes where person_id = $1', [personId]);
        await client.query(
          'insert into recovery_codes (hash, person_id) select hash, $1 from unnest($2::text[]) hash',
          [personId, hashes],
        );
      }),
  };
}

function passkeysIn(database: Database) {
  return {
    passkey: async (credentialId) => {
      const { rows } = await database.query({
        text: 'select * from passkeys where credential_id = $1',
        values: [credentialId],
      });
      return rows[0] && passkeyOf(rows[0]);
    },
    passkeysOf: async (personId) => {
      const { rows } = await database.query({
        text: 'select * from passkeys where person_id = $1 order by created_at, credential_id',
        values: [personId],
      });
      return rows.map(passkeyOf);
    },
    addPasskey: (passkey) =>
      unlessTaken(
        database
          .query({
            text: `insert into passkeys (credential_id, person_id, public_key, sign_count, transports, name, created_at)
                   values ($1, $2, $3, $4, $5, $6, $7)`,
            values: [
              passkey.credentialId,
              passkey.personId,
              Buffer.from(passkey.publicKey),
              passkey.signCount,
              passkey.transports,
              passkey.name,
              new Date(passkey.createdAtMs),
            ],
          })
          .then(() => 'added' as const),
        'belongs_to_another',
      ),
    // Authenticators that do not count always say 0.
    usePasskey: async (credentialId, signCount, atMs) => {
      const { rowCount } = await database.query({
        text: `update passkeys set sign_count = $2, used_at = $3
               where credential_id = $1 and ($2 > sign_count or ($2 = 0 and sign_count = 0))`,
        values: [credentialId, signCount, new Date(atMs)],
      });
      return rowCount === 1;
    },
    removePasskey: async (personId, credentialId) => {
      const { rowCount } = await database.query({
        text: 'delete from passkeys where person_id = $1 and credential_id = $2',
        values: [personId, credentialId],
      });
      return rowCount === 1;
    },
  } satisfies Partial<Factors>;
}
