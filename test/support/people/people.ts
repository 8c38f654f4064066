// People for tests on a real database. They have a password and a confirmed authenticator, and sign in by the same steps as
// real people. The test controls the clock, and argon2 is fast.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { makePasskeys } from '../../../src/adapters/people/passkeys.ts';
import { makePasswords } from '../../../src/adapters/people/passwords.ts';
import { makeTotp } from '../../../src/adapters/people/totp.ts';
import type { Database } from '../../../src/adapters/postgres/connection/database.ts';
import { makeSignInStore } from '../../../src/adapters/postgres/people/people.ts';
import { makeSecretBox } from '../../../src/adapters/secrets/secret-box.ts';
import type { ClientFacts, OpenedSession } from '../../../src/app/people/open-session.ts';
import { newPeopleId, type PeopleDeps, totpPurpose } from '../../../src/app/people/people-deps.ts';
import { findSession, type SignedInSession } from '../../../src/app/people/sessions.ts';
import { signInWithPassword, signInWithSecondFactor } from '../../../src/app/people/sign-in.ts';
import type { AuditEntry } from '../../../src/ports/audit.ts';
import type { PersonWithRoles } from '../../../src/ports/people/people.ts';

export const ORIGIN = 'https://pay.example';
const CHEAP_PASSWORDS = { memory: 8, passes: 1, parallelism: 1 } as const;
export const CLIENT: ClientFacts = {
  surface: 'browser',
  address: '192.0.2.7',
  userAgent: 'test',
  device: null,
};
const STEP_MS = 30_000;

export interface TestPeople {
  readonly deps: PeopleDeps;
  readonly clock: { nowMs: number };
  /** Audit entries that were recorded without another commit. */
  readonly recorded: AuditEntry[];
}

/** `people`: how the code finds persons. A test may pass the service's own store. */
export function makePeople(database: Database, parts: Partial<PeopleDeps> = {}): TestPeople {
  const clock = { nowMs: Date.parse('2026-11-14T10:00:00.000Z') };
  const recorded: AuditEntry[] = [];
  const deps: PeopleDeps = {
    signIn: makeSignInStore(database),
    people: { find: (id: string) => findPerson(database, id) } as PeopleDeps['people'],
    audit: { record: async (entry) => void recorded.push(entry) },
    passwords: makePasswords(CHEAP_PASSWORDS),
    totp: makeTotp('Sliproad'),
    passkeys: makePasskeys({ host: new URL(ORIGIN).hostname, origin: ORIGIN, name: 'Sliproad' }),
    box: makeSecretBox({
      keys: [{ id: 'testtest', bytes: randomBytes(32) }],
      fingerprintKey: randomBytes(32),
    }),
    clock: { now: () => clock.nowMs },
    entropy: { bytes: (count) => randomBytes(count) },
    ...parts,
  };
  return { deps, clock, recorded };
}

async function findPerson(database: Database, id: string): Promise<PersonWithRoles | undefined> {
  const { rows } = await database.query({ text: 'select * from people where id = $1', values: [id] });
  const row = rows[0];
  return (
    row && {
      id,
      email: row.email as string,
      name: row.name as string,
      disabledAtMs: (row.disabled_at as Date | null)?.getTime() ?? null,
      createdAtMs: (row.created_at as Date).getTime(),
      operatorRole: null,
      memberships: [],
    }
  );
}

export interface TestPerson {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** The code of the authenticator at this time. The service accepts each code only once. */
  code(atMs: number): string;
}

/** Adds a person with a password and, unless `totp` is false, a confirmed authenticator. */
export async function addTestPerson(
  database: Database,
  { deps, clock }: Pick<TestPeople, 'deps' | 'clock'>,
  { email, totp = true }: { readonly email?: string; readonly totp?: boolean } = {},
): Promise<TestPerson> {
  const id = newPeopleId(deps, 'per');
  const address = email ?? `${id}@people.example`;
  const password = `pass of ${id}`;
  const doing = { actor: id, atMs: clock.nowMs };
  await database.query({
    text: 'insert into people (id, email, name, created_at) values ($1, $2, $3, $4)',
    values: [id, address, 'Test Person', new Date(clock.nowMs)],
  });
  await deps.signIn.setPassword(id, await deps.passwords.hash(password), doing);
  const secret = deps.totp.newSecret();
  if (totp) {
    const fingerprint = deps.box.fingerprint(secret);
    await deps.signIn.setTotp(id, deps.box.seal(secret, totpPurpose(id)), fingerprint);
    const enrolment = { onlyFirst: true, recoveryHashes: [] };
    // This is the oldest possible time step, so every current code is newer.
    await deps.signIn.confirmTotp(id, fingerprint, 1n, enrolment, doing);
  }
  return { id, email: address, password, code: (atMs) => codeOf(deps.totp.secretText(secret), atMs) };
}

export function codeOf(secret: string, atMs: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs });
}

export function wrongCode(person: TestPerson, atMs: number): string {
  const right = new Set([-STEP_MS, 0, STEP_MS].map((shift) => person.code(atMs + shift)));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.has(code))!;
}

export async function pendingOf(
  { deps }: Pick<TestPeople, 'deps'>,
  { email, password }: Pick<TestPerson, 'email' | 'password'>,
  device: string | null = null,
): Promise<string> {
  const pending = await signInWithPassword(deps, { email, password, device });
  assert.ok(pending.ok, JSON.stringify(pending));
  return pending.value.token;
}

/** Signs in with password and code. The clock first moves forward by one time step, so that the code is a new one. */
export async function signIn(
  people: Pick<TestPeople, 'deps' | 'clock'>,
  person: TestPerson,
  client: Partial<ClientFacts> = {},
): Promise<OpenedSession & { readonly signedIn: SignedInSession }> {
  people.clock.nowMs += STEP_MS;
  const token = await pendingOf(people, person, client.device ?? null);
  const factor = { kind: 'totp', code: person.code(people.clock.nowMs) } as const;
  const opened = await signInWithSecondFactor(people.deps, { token, factor, ...CLIENT, ...client });
  assert.ok(opened.ok, JSON.stringify(opened));
  return { ...opened.value, signedIn: (await findSession(people.deps, opened.value.token))! };
}
