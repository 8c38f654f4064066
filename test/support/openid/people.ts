// Operators who sign in through the test provider. They use the service's own client and stores on a real database.
import { makeOpenIdProvider } from '../../../src/adapters/people/openid-provider.ts';
import type { Database } from '../../../src/adapters/postgres/connection/database.ts';
import { makePeopleStore } from '../../../src/adapters/postgres/people/people.ts';
import { makeProviderStore } from '../../../src/adapters/postgres/people/provided-identities.ts';
import type { ProviderDeps } from '../../../src/app/people/sign-in-with-provider.ts';
import { addTestPerson, makePeople, ORIGIN, type TestPeople, type TestPerson } from '../people/people.ts';
import { afterFile } from '../sharing/file-group.ts';
import { startOpenIdProvider, type TestProvider } from './provider.ts';

export interface ProviderStage {
  readonly people: TestPeople;
  readonly deps: ProviderDeps;
  readonly remote: TestProvider;
  /** A person with an operator role. The provider knows this person by the same email address. */
  readonly operator: TestPerson;
}

const REDIRECT = `${ORIGIN}/console/v1/provider/return`;

export async function stageProvider(database: Database): Promise<ProviderStage> {
  const people = makePeople(database, { people: makePeopleStore(database) });
  const operator = await addOperator(database, people);
  const remote = await startOpenIdProvider({ user: vouched(operator), redirectUri: REDIRECT });
  afterFile(() => remote.stop());
  const { id: clientId, secret: clientSecret } = remote.client;
  const settings = { issuer: remote.issuer, clientId, clientSecret, redirectUri: REDIRECT };
  const provider = makeOpenIdProvider(settings);
  const deps = { ...people.deps, provider, providerStore: makeProviderStore(database) };
  return { people, deps, remote, operator };
}

export async function addOperator(
  database: Database,
  people: TestPeople,
  options: { readonly totp?: boolean } = {},
): Promise<TestPerson> {
  const person = await addTestPerson(database, people, options);
  await people.deps.people.setOperatorRole(person.id, 'reviewer', {
    actor: 'service:setup',
    atMs: people.clock.nowMs,
  });
  return person;
}

/** The provider identifies a person by its own subject id and by the verified email address. */
export function vouched({ id, email }: Pick<TestPerson, 'id' | 'email'>) {
  return { sub: `sub of ${id}`, email, emailVerified: true };
}
