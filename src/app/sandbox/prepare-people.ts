// The people of a sandbox: one who administers it, one who approves what the other proposes, and the owner of the sandbox
// business. Their credentials are in the sandbox file; on a database of the operator's own they do not exist.
import type { OperatorRole } from '../../domain/people/roles.ts';
import type { SandboxPerson, SandboxPersonName } from '../../ports/sandbox-file.ts';
import { newPeopleId, type PeopleDeps, totpPurpose } from '../people/people-deps.ts';

interface Draft {
  readonly email: string;
  readonly name: string;
  readonly operatorRole: OperatorRole | null;
}

const PEOPLE: Readonly<Record<SandboxPersonName, Draft>> = {
  operator: { email: 'operator@sandbox.test', name: 'Sandbox operator', operatorRole: 'admin' },
  approver: { email: 'approver@sandbox.test', name: 'Sandbox approver', operatorRole: 'approver' },
  member: { email: 'member@sandbox.test', name: 'Sandbox member', operatorRole: null },
};

export type SandboxPeople = Readonly<Record<SandboxPersonName, SandboxPerson | null>>;

/** Those the file knows keep what it says. One who was disabled stays so, and has no credentials. */
export async function prepareSandboxPeople(
  deps: PeopleDeps,
  businessId: string,
  known: Partial<SandboxPeople>,
  actor: string,
): Promise<SandboxPeople> {
  const prepare = (which: SandboxPersonName) => prepareOne(deps, which, businessId, known[which], actor);
  return {
    operator: await prepare('operator'),
    approver: await prepare('approver'),
    member: await prepare('member'),
  };
}

async function prepareOne(
  deps: PeopleDeps,
  which: SandboxPersonName,
  businessId: string,
  known: SandboxPerson | null | undefined,
  actor: string,
): Promise<SandboxPerson | null> {
  const { email } = PEOPLE[which];
  const found = await deps.people.findByEmail(email);
  if (found !== undefined && found.disabledAtMs !== null) return null;
  if (found !== undefined && known?.email === email) return known;
  return setCredentials(deps, found?.id ?? (await addPerson(deps, which, businessId, actor)), email);
}

async function addPerson(
  deps: PeopleDeps,
  which: SandboxPersonName,
  businessId: string,
  actor: string,
): Promise<string> {
  const { email, name, operatorRole } = PEOPLE[which];
  const doing = { actor, atMs: deps.clock.now() };
  const id = newPeopleId(deps, 'per');
  await deps.people.add({ id, email, name }, doing);
  if (operatorRole === null) await deps.people.setMember(businessId, id, 'owner', doing);
  else await deps.people.setOperatorRole(id, operatorRole, doing);
  return id;
}

const PASSWORD_BYTES = 15;

/** New ones: those in a lost file cannot be read again. */
async function setCredentials(deps: PeopleDeps, id: string, email: string): Promise<SandboxPerson> {
  const { signIn, passwords, totp, box, clock, entropy } = deps;
  const password = Buffer.from(entropy.bytes(PASSWORD_BYTES)).toString('base64url');
  const secret = totp.newSecret();
  await signIn.setTotp(id, box.seal(secret, totpPurpose(id)), box.fingerprint(secret));
  // Confirmed at once, with the oldest time step there is: every code of today is newer.
  await signIn.acceptTotpStep(id, 1n, clock.now());
  await signIn.setPassword(id, await passwords.hash(password), clock.now(), null);
  return { email, password, totp_secret: totp.secretText(secret) };
}
