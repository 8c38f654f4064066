// The roles of the embedded database. The service and its commands use a role that owns the service's database and has no other
// rights. initdb's superuser is used only here, to create the other roles and to give them the objects that it owned.
import pg from 'pg';
import { codeOf } from '../files/errors.ts';
import type { EmbeddedConnection } from './connection.ts';
import { backupRole, bootstrapRole, databaseName, maintenanceDatabase, serviceRole } from './settings.ts';

/**
 * True if the database exists and the service's role owns it. In that case the role owns everything in it, because all owners
 * change in one commit.
 */
export async function isHandedOver(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_database d join pg_roles r on r.oid = d.datdba
      where d.datname = $1 and r.rolname = $2 and not r.rolsuper
        and exists (select 1 from pg_roles where rolname = $3)`,
    [databaseName, serviceRole, backupRole],
  );
  return rows.length > 0;
}

/**
 * Creates the roles and the database, or corrects those of an earlier release. Any number of processes may do this at the same
 * time.
 */
export async function prepareRoles(connection: EmbeddedConnection): Promise<void> {
  await withBootstrapRole(connection, maintenanceDatabase, async (client) => {
    await runInOneCommit(client, makeRolesSql);
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [databaseName]);
    if (rows.length > 0) return;
    await client.query(`create database ${databaseName} owner ${serviceRole}`).catch((error: unknown) => {
      // Another process has already created the database. The error is duplicate_database, or an error of the unique index
      // behind it.
      if (codeOf(error) !== '42P04' && codeOf(error) !== '23505') throw error;
    });
  });
  await withBootstrapRole(connection, databaseName, (client) => runInOneCommit(client, handOverSql));
}

const withoutRights = 'login nosuperuser nocreatedb nocreaterole nobypassrls';

const makeRolesSql = `
do $$
begin
  if to_regrole('${serviceRole}') is null then create role ${serviceRole}; end if;
  if to_regrole('${backupRole}') is null then create role ${backupRole}; end if;
end $$;
alter role ${serviceRole} ${withoutRights} noreplication;
alter role ${backupRole} ${withoutRights} replication;
grant execute on function pg_backup_start(text, boolean), pg_backup_stop(boolean) to ${backupRole};
`;

// REASSIGN OWNED refuses initdb's role, because it also owns the catalogue. Indexes, triggers, row types and column sequences
// change with their tables. Objects of an extension keep their owner.
const handOverSql = `
do $$
declare
  statement text;
begin
  for statement in
    with own_schema as (select oid, nspname from pg_namespace where nspname !~ '^(pg_|information_schema$)'),
    mine as (select oid from pg_roles where rolname = '${bootstrapRole}')
    select format('alter schema %I owner to ${serviceRole}', n.nspname)
      from pg_namespace n join own_schema using (oid) where n.nspowner = (select oid from mine)
    union all
    select format('alter %s %s owner to ${serviceRole}',
        case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
          when 'f' then 'foreign table' else 'table' end, c.oid::regclass)
      from pg_class c join own_schema n on n.oid = c.relnamespace
     where c.relowner = (select oid from mine) and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
       and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
         and (d.deptype = 'e' or c.relkind = 'S' and d.deptype in ('a', 'i')))
    union all
    select format('alter routine %s owner to ${serviceRole}', p.oid::regprocedure)
      from pg_proc p join own_schema n on n.oid = p.pronamespace
     where p.proowner = (select oid from mine)
       and not exists (select 1 from pg_depend d
         where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select format('alter type %s owner to ${serviceRole}', t.oid::regtype)
      from pg_type t join own_schema n on n.oid = t.typnamespace
      left join pg_class c on c.oid = t.typrelid
     where t.typowner = (select oid from mine) and (t.typrelid = 0 or c.relkind = 'c') and t.typcategory <> 'A'
       and not exists (select 1 from pg_depend d
         where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype in ('e', 'i'))
  loop
    execute statement;
  end loop;
end $$;
alter database ${databaseName} owner to ${serviceRole};
`;

/** Temporary errors: deadlocks with an earlier release that still runs, and two processes that change the same role. */
const passingErrors = /^(40P01|40001|23505|XX000|55P03)$/;
const maxTries = 20;

async function runInOneCommit(client: pg.Client, statements: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await client.query(`begin; select pg_advisory_xact_lock(${rolesLockKey}); ${statements}; commit`);
      return;
    } catch (error) {
      await client.query('rollback');
      if (!passingErrors.test(codeOf(error) ?? '') || tries === maxTries) throw error;
    }
  }
}

/** Any number works, but it must be the same in every process. */
const rolesLockKey = 727_201_103;

async function withBootstrapRole(
  connection: EmbeddedConnection,
  database: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({
    ...connection,
    user: bootstrapRole,
    database,
    application_name: 'sliproad-roles',
  });
  client.on('error', () => {}); // the running query reports the error
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
