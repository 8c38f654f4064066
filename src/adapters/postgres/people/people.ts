// Stores people and their roles in PostgreSQL. Each change and its audit log entry are one transaction. An installation keeps
// at least one admin who can sign in, and a business at least one owner who can sign in. Changes that could break this rule run
// one after the other.
import type pg from 'pg';
import type { Member, PeopleStore, Person, PersonWithRoles } from '../../../ports/people/people.ts';
import type { SignInStore } from '../../../ports/people/sign-in.ts';
import { answerIfTaken, makeRunAudited, type RunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import { columnFrom, defineColumns, part, plainColumn, timeColumn } from '../connection/record-columns.ts';
import { makeCodeFactors } from './code-factors.ts';
import { makePasskeyFactors } from './passkey-factors.ts';
import { makePendingSignIns } from './pending-sign-ins.ts';
import { PERSON_FIELDS } from './rows.ts';
import { makeSessions } from './sessions.ts';
import { makeStepUps } from './step-ups.ts';
import { makeTries } from './tries.ts';

export function makePeopleStore(database: Database): PeopleStore {
  const logged = makeRunAudited(database);
  return { ...makePeopleReads(database), ...makeOperatorWrites(logged), ...makeMemberWrites(logged) };
}

const WITH_ROLES = defineColumns<PersonWithRoles>({
  ...PERSON_FIELDS,
  operatorRole: columnFrom('o.role', plainColumn),
  memberships: columnFrom(
    `coalesce((select jsonb_agg(jsonb_build_object('businessId', m.business_id, 'businessName', b.name, 'role', m.role)
        order by b.name, b.id)
      from memberships m join businesses b on b.id = m.business_id where m.person_id = p.id), '[]')`,
    plainColumn,
  ),
});
const MEMBER = defineColumns<Member>({
  person: part<Person>(PERSON_FIELDS),
  role: plainColumn,
  createdAtMs: timeColumn,
});

type PeopleReads = Pick<PeopleStore, 'find' | 'findByEmail' | 'listOperators' | 'listMembers'>;

function makePeopleReads(database: Database): PeopleReads {
  const people = async (where: string, values: unknown[]): Promise<PersonWithRoles[]> => {
    const text = `select ${WITH_ROLES.list()} from people p left join operator_roles o on o.person_id = p.id ${where}`;
    return (await database.query({ text, values })).rows.map(WITH_ROLES.read);
  };
  return {
    find: async (id) => (await people('where p.id = $1', [id]))[0],
    findByEmail: async (email) => (await people('where p.email = $1', [email]))[0],
    listOperators: () => people('where o.role is not null order by p.email', []),
    listMembers: async (businessId) => {
      const { rows } = await database.query({
        text: `select ${MEMBER.list('m')}
               from memberships m join people p on p.id = m.person_id where m.business_id = $1 order by p.email`,
        values: [businessId],
      });
      return rows.map(MEMBER.read);
    },
  };
}

function makeOperatorWrites(
  logged: RunAudited,
): Pick<PeopleStore, 'add' | 'setOperatorRole' | 'setDisabled'> {
  return {
    add: (person, doing) =>
      answerIfTaken(
        logged(doing, 'person_added', person, async (client) => {
          const { id, email, name } = person;
          await client.query('insert into people (id, email, name, created_at) values ($1, $2, $3, $4)', [
            ...[id, email, name],
            new Date(doing.atMs),
          ]);
          return 'added' as const;
        }),
        'email_taken',
      ),
    setOperatorRole: (id, role, doing) =>
      runUnlessRuleBroken('last_admin', (refuse) =>
        logged(doing, 'operator_role_set', { person: id, role }, async (client) => {
          await lockSubject(client, 'admins');
          const known = await client.query('select from people where id = $1', [id]);
          if (known.rowCount === 0) return 'not_found' as const;
          const hadAdmin = await hasAdmin(client);
          await client.query('delete from operator_roles where person_id = $1', [id]);
          if (role !== null)
            await client.query('insert into operator_roles (person_id, role) values ($1, $2)', [id, role]);
          if (hadAdmin && !(await hasAdmin(client))) refuse();
          return 'set' as const;
        }),
      ),
    setDisabled: (id, disabled, doing) =>
      runUnlessRuleBroken('last_admin', (refuse) =>
        logged(doing, disabled ? 'person_disabled' : 'person_enabled', { person: id }, async (client) => {
          await lockSubject(client, 'admins');
          const at = new Date(doing.atMs);
          const hadAdmin = await hasAdmin(client);
          const changed = await client.query(
            'update people set disabled_at = case when $2 then coalesce(disabled_at, $3) end where id = $1',
            [id, disabled, at],
          );
          if (changed.rowCount === 0) return 'not_found' as const;
          if (hadAdmin && !(await hasAdmin(client))) refuse();
          if (disabled) {
            await client.query('delete from sign_ins where person_id = $1', [id]);
            await client.query(
              'update sessions set ended_at = $2 where person_id = $1 and ended_at is null',
              [id, at],
            );
          }
          return 'set' as const;
        }),
      ),
  };
}

function makeMemberWrites(
  logged: RunAudited,
): Pick<PeopleStore, 'setMember' | 'changeMember' | 'removeMember'> {
  return {
    setMember: (businessId, personId, role, doing) =>
      runUnlessRuleBroken('last_owner', (refuse) =>
        logged(doing, 'member_set', { business: businessId, person: personId, role }, async (client) => {
          await lockSubject(client, `owners ${businessId}`);
          const hadOwner = await hasOwner(client, businessId);
          await client.query(
            `insert into memberships (business_id, person_id, role, created_at) values ($1, $2, $3, $4)
             on conflict (business_id, person_id) do update set role = excluded.role`,
            [businessId, personId, role, new Date(doing.atMs)],
          );
          if (hadOwner && !(await hasOwner(client, businessId))) refuse();
          return 'set' as const;
        }),
      ),
    changeMember: (businessId, personId, role, doing) =>
      runUnlessRuleBroken('last_owner', (refuse) =>
        logged(doing, 'member_set', { business: businessId, person: personId, role }, async (client) => {
          await lockSubject(client, `owners ${businessId}`);
          const hadOwner = await hasOwner(client, businessId);
          const changed = await client.query(
            'update memberships set role = $3 where business_id = $1 and person_id = $2',
            [businessId, personId, role],
          );
          if (changed.rowCount === 0) return 'not_found' as const;
          if (hadOwner && !(await hasOwner(client, businessId))) refuse();
          return 'set' as const;
        }),
      ),
    removeMember: (businessId, personId, doing) =>
      runUnlessRuleBroken('last_owner', (refuse) =>
        logged(doing, 'member_removed', { business: businessId, person: personId }, async (client) => {
          await lockSubject(client, `owners ${businessId}`);
          const hadOwner = await hasOwner(client, businessId);
          const removed = await client.query(
            'delete from memberships where business_id = $1 and person_id = $2',
            [businessId, personId],
          );
          if (removed.rowCount === 0) return 'not_found' as const;
          if (hadOwner && !(await hasOwner(client, businessId))) refuse();
          return 'removed' as const;
        }),
      ),
  };
}

/** If the work would break the rule, this rolls the transaction back and returns the rule. */
async function runUnlessRuleBroken<T, Rule extends string>(
  rule: Rule,
  work: (refuse: () => never) => Promise<T>,
): Promise<T | Rule> {
  const broken = new Error(rule);
  try {
    return await work(() => {
      throw broken;
    });
  } catch (error) {
    if (error === broken) return rule;
    throw error;
  }
}

async function lockSubject(client: pg.ClientBase, subject: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`sliproad ${subject}`]);
}

async function hasAdmin(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from operator_roles o join people p on p.id = o.person_id
     where o.role = 'admin' and p.disabled_at is null limit 1`,
  );
  return rowCount === 1;
}

async function hasOwner(client: pg.ClientBase, businessId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from memberships m join people p on p.id = m.person_id
     where m.business_id = $1 and m.role = 'owner' and p.disabled_at is null limit 1`,
    [businessId],
  );
  return rowCount === 1;
}

export function makeSignInStore(database: Database): SignInStore {
  return {
    ...makeTries(database),
    ...makePendingSignIns(database),
    ...makeCodeFactors(database),
    ...makePasskeyFactors(database),
    ...makeSessions(database),
    ...makeStepUps(database),
  };
}
