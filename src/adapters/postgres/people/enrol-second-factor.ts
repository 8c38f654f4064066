// Adds a second factor to a person. The person's row is locked first, so that only one of two concurrent requests can add the
// first factor. The recovery codes are added in the same commit.
import type pg from 'pg';
import type { AuditStamp } from '../../../ports/back-office.ts';
import type { Enrolment, EnrolmentOutcome } from '../../../ports/people/second-factors.ts';
import { answerIfTaken, type RunAudited } from '../back-office/run-audited.ts';

/** `add` returns false when there is nothing to add. A unique index refuses a second factor that belongs to another person. */
export function enrolSecondFactor(
  logged: RunAudited,
  personId: string,
  { onlyFirst, recoveryHashes }: Enrolment,
  doing: AuditStamp,
  kind: 'totp' | 'passkey',
  add: (client: pg.ClientBase) => Promise<boolean>,
): Promise<EnrolmentOutcome> {
  return answerIfTaken(
    runOrRefuse<EnrolmentOutcome>((refuse) =>
      logged(doing, 'second_factor_added', { person: personId, kind }, async (client) => {
        const has = await lockAndCheckSecondFactor(client, personId);
        if (has && onlyFirst) refuse('has_second_factor');
        if (!(await add(client))) refuse('not_found');
        if (has) return 'enrolled';
        await replaceRecoveryCodes(client, personId, recoveryHashes);
        return 'enrolled_first';
      }),
    ),
    'belongs_to_another',
  );
}

/** Locks the person, so that changes to their second factors run one after the other. */
export async function lockAndCheckSecondFactor(client: pg.ClientBase, personId: string): Promise<boolean> {
  await client.query('select from people where id = $1 for update', [personId]);
  const { rowCount } = await client.query(
    `select from totp_secrets where person_id = $1 and confirmed_at is not null
     union all select from passkeys where person_id = $1`,
    [personId],
  );
  return (rowCount ?? 0) > 0;
}

export async function replaceRecoveryCodes(
  client: pg.ClientBase,
  personId: string,
  hashes: readonly string[],
): Promise<void> {
  await client.query('delete from recovery_codes where person_id = $1', [personId]);
  await client.query(
    'insert into recovery_codes (hash, person_id) select hash, $1 from unnest($2::text[]) hash',
    [personId, hashes],
  );
}

/** `refuse` rolls back the work and its audit log entry. The argument of `refuse` becomes the result of `runOrRefuse`. */
export async function runOrRefuse<T>(work: (refuse: (answer: T) => never) => Promise<T>): Promise<T> {
  let refused: { readonly answer: T } | undefined;
  try {
    return await work((answer) => {
      refused = { answer };
      throw new Error('refused');
    });
  } catch (error) {
    if (refused !== undefined) return refused.answer;
    throw error;
  }
}
