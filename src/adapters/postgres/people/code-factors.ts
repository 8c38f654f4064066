// Stores TOTP secrets and recovery codes. The statement that accepts a code also marks the code as used.
import type { SecondFactorStore, StoredTotp } from '../../../ports/people/second-factors.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import { enrolSecondFactor, replaceRecoveryCodes } from './enrol-second-factor.ts';

type CodeFactors = Pick<
  SecondFactorStore,
  | 'secondFactorsOf'
  | 'totpOf'
  | 'setTotp'
  | 'confirmTotp'
  | 'acceptTotpStep'
  | 'useRecoveryCode'
  | 'setRecoveryCodes'
>;

export function makeCodeFactors(database: Database): CodeFactors {
  return { ...makeTotpFactors(database), ...makeRecoveryCodes(database) };
}

type TotpFactors = Pick<CodeFactors, 'totpOf' | 'setTotp' | 'confirmTotp' | 'acceptTotpStep'>;

function makeTotpFactors(database: Database): TotpFactors {
  const logged = makeRunAudited(database);
  return {
    totpOf: async (personId, which) => {
      const { rows } = await database.query<StoredTotp & Record<string, unknown>>({
        text: `select sealed, fingerprint from totp_secrets
               where person_id = $1 and confirmed_at is ${which === 'confirmed' ? 'not null' : 'null'}`,
        values: [personId],
      });
      return rows[0];
    },
    setTotp: async (personId, sealed, fingerprint) => {
      await database.query({
        text: `insert into totp_secrets (person_id, sealed, fingerprint) values ($1, $2, $3)
               on conflict (person_id) where confirmed_at is null
               do update set sealed = excluded.sealed, fingerprint = excluded.fingerprint`,
        values: [personId, sealed, fingerprint],
      });
    },
    confirmTotp: (personId, fingerprint, step, enrolment, doing) =>
      enrolSecondFactor(logged, personId, enrolment, doing, 'totp', async (client) => {
        await client.query('delete from totp_secrets where person_id = $1 and confirmed_at is not null', [
          personId,
        ]);
        const { rowCount } = await client.query(
          `update totp_secrets set confirmed_at = $4, last_step = $3
           where person_id = $1 and fingerprint = $2 and confirmed_at is null`,
          [personId, fingerprint, step.toString(), new Date(doing.atMs)],
        );
        return rowCount === 1;
      }),
    acceptTotpStep: async (personId, fingerprint, step) => {
      const { rowCount } = await database.query({
        text: `update totp_secrets set last_step = $3
               where person_id = $1 and fingerprint = $2 and confirmed_at is not null and last_step < $3`,
        values: [personId, fingerprint, step.toString()],
      });
      return rowCount === 1;
    },
  };
}

function makeRecoveryCodes(database: Database): Omit<CodeFactors, keyof TotpFactors> {
  const logged = makeRunAudited(database);
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
    useRecoveryCode: (personId, hash, doing) =>
      logged(doing, 'recovery_code_used', { person: personId }, async (client) => {
        const { rowCount } = await client.query(
          'update recovery_codes set used_at = $3 where hash = $2 and person_id = $1 and used_at is null',
          [personId, hash, new Date(doing.atMs)],
        );
        return rowCount === 1;
      }),
    setRecoveryCodes: (personId, hashes, doing) =>
      logged(doing, 'recovery_codes_made', { person: personId }, (client) =>
        replaceRecoveryCodes(client, personId, hashes),
      ),
  };
}
