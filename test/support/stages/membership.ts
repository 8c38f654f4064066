// People, invitations and mail on a real database, with a clock that a test moves, for the tests of the use cases.
import { makeAuditLog } from '../../../src/adapters/postgres/audit/audit-log.ts';
import type { Database } from '../../../src/adapters/postgres/connection/database.ts';
import { makeMailQueue } from '../../../src/adapters/postgres/mail-queue.ts';
import { makeInvitationStore } from '../../../src/adapters/postgres/people/invitations.ts';
import { makePeopleStore } from '../../../src/adapters/postgres/people/people.ts';
import { makeResetStore } from '../../../src/adapters/postgres/people/resets.ts';
import { makeSignUpStore } from '../../../src/adapters/postgres/people/sign-ups.ts';
import type { MembershipDeps } from '../../../src/app/membership/membership-deps.ts';
import type { BusinessRole, OperatorRole } from '../../../src/domain/people/roles.ts';
import { BUSINESS, databaseWithKeys, freshId, NOW } from '../../http/store-fixtures.ts';
import { makePeople, ORIGIN } from '../people/people.ts';

export const PASSWORD = 'seven green boats at noon';

export interface MembershipStage {
  readonly deps: MembershipDeps;
  readonly database: Database;
  readonly sandboxDeps: MembershipDeps;
  pass(ms: number): void;
  /** Adds a person with an operator role, with a role in the fixture business, or with no role. The password is unusable. */
  person(roles?: { operator?: OperatorRole; member?: BusinessRole }): Promise<{ id: string; email: string }>;
  tokenFor(email: string): Promise<string>;
  count(table: string, personId: string): Promise<number>;
  logged(action: string): Promise<readonly Record<string, unknown>[]>;
}

export async function membershipStage(): Promise<MembershipStage> {
  const { database } = await databaseWithKeys();
  const people = makePeopleStore(database);
  const { deps: basic, clock } = makePeople(database, { people, audit: makeAuditLog(database) });
  clock.nowMs = NOW;
  const deps: MembershipDeps = {
    ...basic,
    invitations: makeInvitationStore(database),
    signUps: makeSignUpStore(database),
    resets: makeResetStore(database),
    mails: makeMailQueue(database),
    publicBaseUrl: ORIGIN,
    sandbox: false,
  };
  const doing = { actor: 'os:test', atMs: NOW };
  return {
    deps,
    database,
    sandboxDeps: { ...deps, sandbox: true },
    pass: (ms) => {
      clock.nowMs += ms;
    },
    person: async ({ operator, member } = {}) => {
      const id = freshId('per');
      const email = `${id.slice(-12)}@example.com`;
      await people.add({ id, email, name: 'Ada Obi' }, doing);
      if (operator !== undefined) await people.setOperatorRole(id, operator, doing);
      if (member !== undefined) await people.setMember(BUSINESS, id, member, doing);
      return { id, email };
    },
    tokenFor: async (email) => {
      const { rows } = await database.query<{ body: string }>({
        text: 'select body from mails where recipient = $1 and body is not null order by id desc limit 1',
        values: [email],
      });
      return /#token=([\w-]{43})$/m.exec(rows[0]?.body ?? '')?.[1] ?? '';
    },
    count: async (table, personId) => {
      const { rowCount } = await database.query({
        text: `select from ${table} where person_id = $1`,
        values: [personId],
      });
      return rowCount ?? 0;
    },
    logged: async (action) => {
      const { rows } = await database.query<{ detail: Record<string, unknown> }>({
        text: `select actor, detail from audit_log where action = $1 order by no`,
        values: [action],
      });
      return rows;
    },
  };
}
