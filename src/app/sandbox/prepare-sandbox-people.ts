// Creates the people of a sandbox: an admin, a person who approves the admin's proposals, and the owner of the sandbox
// business. Their credentials are in the sandbox file. An installation with the operator's own database does not have these
// people.
import type { OperatorRole } from '../../domain/people/roles.ts';
import type { SandboxPerson, SandboxPersonName } from '../../ports/sandbox-file.ts';
import { newPeopleId, type PeopleDeps, totpPurpose } from '../people/people-deps.ts';

interface SandboxPersonDraft {
  readonly email: string;
  readonly name: string;
  readonly operatorRole: OperatorRole | null;
}

const PERSON_DRAFTS: Readonly<Record<SandboxPersonName, SandboxPersonDraft>> = {
  operator: { email: 'operator@sandbox.test', name: 'Sandbox operator', operatorRole: 'admin' },
  approver: { email: 'approver@sandbox.test', name: 'Sandbox approver', operatorRole: 'approver' },
  member: { email: 'member@sandbox.test', name: 'Sandbox member', operatorRole: null },
};

export type SandboxPeople = Readonly<Record<SandboxPersonName, SandboxPerson | null>>;

/**
 * Prepares the people of the sandbox. The people in the file keep their credentials. A disabled person stays disabled, without
 * credentials.
 */
export async function prepareSandboxPeople(
  deps: PeopleDeps,
  businessId: string,
  known: Partial<SandboxPeople>,
  actor: string,
): Promise<SandboxPeople> {
  const prepare = (which: SandboxPersonName) => preparePerson(deps, which, businessId, known[which], actor);
  return {
    operator: await prepare('operator'),
    approver: await prepare('approver'),
    member: await prepare('member'),
  };
}

/**
 * If an installation moves real money, people whose credentials are in a file must not decide about it. The last admin stays
 * enabled until there is another admin. Returns the addresses of the people who are still enabled.
 */
export async function disableSandboxPeople(deps: PeopleDeps, actor: string): Promise<readonly string[]> {
  const enabled: string[] = [];
  for (const { email } of Object.values(PERSON_DRAFTS)) {
    const found = await deps.people.findByEmail(email);
    if (found === undefined || found.disabledAtMs !== null) continue;
    const doing = { actor, atMs: deps.clock.now() };
    if ((await deps.people.setDisabled(found.id, true, doing)) === 'last_admin') enabled.push(email);
  }
  return enabled;
}

export const NO_SANDBOX_PEOPLE: SandboxPeople = { operator: null, approver: null, member: null };

async function preparePerson(
  deps: PeopleDeps,
  which: SandboxPersonName,
  businessId: string,
  known: SandboxPerson | null | undefined,
  actor: string,
): Promise<SandboxPerson | null> {
  const { email } = PERSON_DRAFTS[which];
  const found = await deps.people.findByEmail(email);
  if (found !== undefined && found.disabledAtMs !== null) return null;
  if (found !== undefined && known?.email === email) return known;
  const id = found?.id ?? (await addPerson(deps, which, businessId, actor));
  return setCredentials(deps, id, email, actor);
}

async function addPerson(
  deps: PeopleDeps,
  which: SandboxPersonName,
  businessId: string,
  actor: string,
): Promise<string> {
  const { email, name, operatorRole } = PERSON_DRAFTS[which];
  const doing = { actor, atMs: deps.clock.now() };
  const id = newPeopleId(deps, 'per');
  await deps.people.add({ id, email, name }, doing);
  if (operatorRole === null) await deps.people.setMember(businessId, id, 'owner', doing);
  else await deps.people.setOperatorRole(id, operatorRole, doing);
  return id;
}

const PASSWORD_BYTES = 15;

/** Creates new credentials, because no person can recover the credentials of a lost file. */
async function setCredentials(
  deps: PeopleDeps,
  id: string,
  email: string,
  actor: string,
): Promise<SandboxPerson> {
  const { signIn, passwords, totp, box, clock, entropy } = deps;
  const password = Buffer.from(entropy.bytes(PASSWORD_BYTES)).toString('base64url');
  const secret = totp.newSecret();
  const fingerprint = box.fingerprint(secret);
  const doing = { actor, atMs: clock.now() };
  await signIn.setTotp(id, box.seal(secret, totpPurpose(id)), fingerprint);
  // The authenticator is confirmed at once with the oldest time step, so that every current code is newer.
  await signIn.confirmTotp(id, fingerprint, 1n, { onlyFirst: false, recoveryHashes: [] }, doing);
  await signIn.setPassword(id, await passwords.hash(password), doing);
  return { email, password, totp_secret: totp.secretText(secret) };
}
