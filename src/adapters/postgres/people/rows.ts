// How rows of people and sessions are read.
import type { Invitation } from '../../../ports/people/membership.ts';
import type { Person } from '../../../ports/people/people.ts';
import type { StoredPasskey } from '../../../ports/people/second-factors.ts';
import type { Session } from '../../../ports/people/sessions.ts';
import { all, columns, of, plain, stored, time } from '../connection/columns.ts';

/** Of a table that is called `p`. */
export const PERSON_FIELDS = of('p', {
  ...all(plain, 'id', 'email', 'name'),
  ...all(time, 'disabledAtMs', 'createdAtMs'),
});
export const PERSON = columns<Person>(PERSON_FIELDS);

export const SESSION = columns<Session>({
  ...all(plain, 'id', 'personId', 'surface', 'address', 'userAgent'),
  ...all(time, 'createdAtMs', 'seenAtMs', 'expiresAtMs'),
});

export const PASSKEY = columns<StoredPasskey>({
  ...all(plain, 'credentialId', 'personId', 'publicKey', 'transports', 'name'),
  signCount: stored(Number),
  ...all(time, 'createdAtMs', 'usedAtMs'),
});

export const INVITATION = columns<Invitation>({
  ...all(plain, 'id', 'email', 'businessId', 'role', 'signUpId', 'invitedBy'),
  ...all(time, 'createdAtMs', 'expiresAtMs'),
});

// A refusal found inside a transaction. What the transaction did is rolled back and nothing is logged; the caller gets the
// code of the refusal as an answer.
class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export async function orRefused<T, Code extends string>(
  work: (refuse: (code: Code) => never) => Promise<T>,
): Promise<T | Code> {
  try {
    return await work((code) => {
      throw new Refused(code);
    });
  } catch (error) {
    if (error instanceof Refused) return error.code as Code;
    throw error;
  }
}
