// The operator takes all credentials of a person away, who lost them or whose account another person used. The person begins
// anew by a link to their mailbox: the old password alone must not set up a second factor.
import type { Doing } from '../../ports/back-office.ts';
import type { Person } from '../../ports/people/people.ts';
import { unlock } from './lock-out.ts';
import type { PeopleDeps } from './people-deps.ts';

/** The caller sends the link. A lock of the address ends, too. */
export async function resetCredentials(
  deps: PeopleDeps,
  person: Pick<Person, 'id' | 'email'>,
  doing: Doing,
): Promise<void> {
  await deps.signIn.removeCredentials(person.id, doing);
  await unlock(deps, person);
}
