// Reads rows of people and sessions.
import type { Invitation } from '../../../ports/people/membership.ts';
import type { Person } from '../../../ports/people/people.ts';
import type { StoredPasskey } from '../../../ports/people/second-factors.ts';
import type { Session } from '../../../ports/people/sessions.ts';
import {
  all,
  convertedColumn,
  defineColumns,
  of,
  plainColumn,
  timeColumn,
} from '../connection/record-columns.ts';

export const PERSON_FIELDS = of('p', {
  ...all(plainColumn, 'id', 'email', 'name'),
  ...all(timeColumn, 'disabledAtMs', 'createdAtMs'),
});
export const PERSON = defineColumns<Person>(PERSON_FIELDS);

export const SESSION = defineColumns<Session>({
  ...all(plainColumn, 'id', 'personId', 'surface', 'address', 'userAgent'),
  ...all(timeColumn, 'createdAtMs', 'seenAtMs', 'expiresAtMs'),
});

export const PASSKEY = defineColumns<StoredPasskey>({
  ...all(plainColumn, 'credentialId', 'personId', 'publicKey', 'transports', 'name'),
  signCount: convertedColumn(Number),
  ...all(timeColumn, 'createdAtMs', 'usedAtMs'),
});

export const INVITATION = defineColumns<Invitation>({
  ...all(plainColumn, 'id', 'email', 'businessId', 'role', 'signUpId', 'invitedBy'),
  ...all(timeColumn, 'createdAtMs', 'expiresAtMs'),
});

// A refusal that is thrown inside a database transaction. The transaction is rolled back, nothing is logged, and the caller
// gets the code of the refusal.
class RefusedInTransaction extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export async function runOrRefusalCode<T, Code extends string>(
  work: (refuse: (code: Code) => never) => Promise<T>,
): Promise<T | Code> {
  try {
    return await work((code) => {
      throw new RefusedInTransaction(code);
    });
  } catch (error) {
    if (error instanceof RefusedInTransaction) return error.code as Code;
    throw error;
  }
}
