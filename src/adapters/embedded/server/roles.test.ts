// Tests what the service's role may not do, and how a database of an earlier release gets this role.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import {
  open,
  postmasterPid,
  query,
  readyDataDir,
  scratchDir,
} from '../../../../test/support/embedded/scratch.ts';
import { until } from '../../../../test/support/patience.ts';
import { migrate } from '../../postgres/connection/migrate.ts';
import type { EmbeddedConnection } from './connection.ts';
import { isHandedOver } from './roles.ts';
import { backupRole, bootstrapRole, serviceRole } from './settings.ts';

const superuser = (connection: EmbeddedConnection) => ({ ...connection, user: bootstrapRole });

test('the role of the service cannot read files, run programs or switch to another role', async (t) => {
  const { connection } = await open(t, await readyDataDir(scratchDir(t)));
  const [role] = await query(
    connection,
    `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
       array(select roleid::regrole::text from pg_auth_members where member = r.oid) as memberships,
       (select count(*)::int from pg_auth_members where roleid = r.oid) as members
       from pg_roles r where rolname = current_user`,
  );
  assert.deepEqual(role, {
    rolsuper: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
    rolbypassrls: false,
    memberships: [],
    members: 0,
  });
  for (const sql of [
    `select pg_read_file('/etc/shadow')`,
    `select pg_read_file('PG_VERSION')`,
    `select pg_ls_dir('.')`,
    `select lo_import('/etc/passwd')`,
    `copy (select 1) to program 'true'`,
    `copy (select 1) to '/tmp/sliproad-written'`,
    `create temp table x (l text); copy x from '/etc/passwd'`,
    `create extension dblink`,
    `create extension postgres_fdw`,
    `create extension file_fdw`,
    `create function f() returns int language c as '$libdir/dblink', 'dblink_connect'`,
    `alter system set archive_command = 'true'`,
    `set role ${bootstrapRole}`,
    `set role ${backupRole}`,
    `set session authorization ${bootstrapRole}`,
    `alter role ${serviceRole} superuser`,
    `grant pg_read_server_files to ${serviceRole}`,
    `create role another`,
    `create database another`,
    `select pg_backup_start('x')`,
  ]) {
    await assert.rejects(query(connection, sql), { code: /^(42501|42P13)$/ }, sql);
  }
});

test('the role for backups cannot read rows', async (t) => {
  const { connection } = await open(t, await readyDataDir(scratchDir(t)));
  await query(connection, 'create table t as select 42 as n');
  const backup = { ...connection, user: backupRole };
  await assert.rejects(query(backup, 'select * from t'), { code: '42501' });
  await assert.rejects(query(backup, `select pg_read_file('PG_VERSION')`), { code: '42501' });
});

async function makeOld(connection: EmbeddedConnection): Promise<void> {
  const old = superuser(connection);
  await query({ ...old, database: 'postgres' }, 'drop database sliproad');
  await query({ ...old, database: 'postgres' }, `create database sliproad owner ${bootstrapRole}`);
  await migrate(old);
  await query(
    old,
    `create schema other; create type other.mood as enum ('a'); create view other.v as select 1 as one;
     create materialized view other.m as select 1 as one; create sequence other.s;
     create function other.f() returns int language sql as 'select 1'; create table other."Odd name" (id bigserial)`,
  );
}

const OWNERS = `select distinct o.owner::regrole::text from (
    select relowner as owner from pg_class where relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
    union select proowner from pg_proc where pronamespace::regnamespace::text !~ '^(pg_|information_schema)'
    union select typowner from pg_type where typnamespace::regnamespace::text !~ '^(pg_|information_schema)'
    union select nspowner from pg_namespace where nspname = 'other'
    union select datdba from pg_database where datname = 'sliproad') as o`;

test('the next start gives every object in a database of an earlier release to the service’s role', async (t) => {
  const dataDir = await readyDataDir(scratchDir(t));
  const first = await open(t, dataDir);
  await makeOld(first.connection);
  const old = superuser(first.connection);
  for (const role of [serviceRole, backupRole]) {
    await query({ ...old, database: 'postgres' }, `drop owned by ${role}; drop role ${role}`);
  }
  assert.deepEqual(await query(old, OWNERS), [{ owner: bootstrapRole }]);
  await first.release();

  const server = await open(t, dataDir);
  assert.deepEqual(await query(superuser(server.connection), OWNERS), [{ owner: serviceRole }]);
  assert.deepEqual(await migrate(server.connection), [], 'nothing is missing, and it may look');
  await query(server.connection, 'alter table transactions add column one_more int');
  await query(server.connection, 'drop schema other cascade');
});

test('if the change of owner is killed before it ends, the next start repeats it', async (t) => {
  const dataDir = await readyDataDir(scratchDir(t));
  const first = await open(t, dataDir);
  await makeOld(first.connection);
  const connection = JSON.stringify(first.connection);
  // A session holds a read lock, so that the change of owner must wait. The process that waits for the lock is killed.
  const reader = new pg.Client(superuser(first.connection));
  await reader.connect();
  await reader.query('begin; select * from schema_migrations');
  const script = `const { prepareRoles } = await import(${JSON.stringify(new URL('roles.ts', import.meta.url).href)});
    await prepareRoles(${connection});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  const waiting = `select 1 from pg_stat_activity where application_name = 'sliproad-roles' and wait_event_type = 'Lock'`;
  await until('it waits', async () => (await query(superuser(first.connection), waiting)).length > 0);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(await isHandedOver(reader), false);
  await reader.query('rollback');
  await reader.end();
  await first.release();

  const server = await open(t, dataDir);
  assert.deepEqual(await query(superuser(server.connection), OWNERS), [{ owner: serviceRole }]);
});

test('a running server of an earlier release accepts the new role without a restart', async (t) => {
  const dataDir = await readyDataDir(scratchDir(t));
  const first = await open(t, dataDir);
  const rules = path.join(dataDir, 'postgres', 'pg_hba.conf');
  writeFileSync(rules, `local all ${bootstrapRole} peer map=sliproad\nlocal all all reject\n`);
  await query(superuser(first.connection), 'select pg_reload_conf()');
  const shut = () =>
    query(first.connection, 'select 1').then(
      () => false,
      () => true,
    );
  await until('the new rules hold', shut);
  const pid = postmasterPid(dataDir);
  const second = await open(t, dataDir);
  await query(second.connection, 'select 1');
  assert.equal(postmasterPid(dataDir), pid);
  assert.match(readFileSync(rules, 'utf8'), /sliproad_service/);
});
