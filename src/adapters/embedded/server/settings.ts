// The settings of this PostgreSQL: who may connect (rewritten at each start) and how it runs. Connections use a local socket,
// and the kernel identifies the user, so a port and a password are not needed. The durability settings keep their defaults.
import { randomBytes } from 'node:crypto';
import { existsSync, lchownSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { socketPort } from '../files/directories.ts';
import { currentUser, isRoot, type OsUser } from '../files/os-user.ts';

/** initdb creates this role, so it is always a superuser. It is used only to create the other two roles. */
export const bootstrapRole = 'sliproad';
/** This role owns the service's database. The service, its workers and its commands connect with it. */
export const serviceRole = 'sliproad_service';
/** This role may read the log position and retain log files, but it cannot read rows. */
export const backupRole = 'sliproad_backup';
export const databaseName = 'sliproad';
/** Sessions for coordination use this database, because the service's own database may be dropped or cloned. */
export const maintenanceDatabase = 'postgres';

/** Written to postgresql.conf once. An operator may change these settings there. */
export const initialSettings: Readonly<Record<string, string>> = {
  max_connections: '100',
  shared_buffers: '256MB',
  min_wal_size: '256MB',
  max_wal_size: '1GB',
};

/** Passed to the server at each start, so that a file cannot change them. */
export function fixedSettings(socketDir: string): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: String(socketPort),
    unix_socket_directories: quoteListItem(socketDir),
    unix_socket_permissions: '0777', // the directory is 0700, and root may connect although it is not the owner
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_min_messages: 'warning',
    // Failed statements and the rows in their error details contain names and account numbers.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** unix_socket_directories is a comma-separated list of identifiers, so a path with a comma or a space needs quotes. */
const quoteListItem = (item: string): string => `"${item.replaceAll('"', '""')}"`;

/** True if the rules have changed, so that a running server must reload them. */
export function writeAccessRules(clusterDir: string, user: OsUser): boolean {
  const names = new Set(['root', currentUser().name]);
  // A dedicated user may connect to its own database. Any program may run as a shared user, so a shared user may not connect.
  if (!user.shared) names.add(user.name);
  const roles = [serviceRole, backupRole, bootstrapRole];
  const lines = [...names].flatMap((name) =>
    roles.map((role) => `${mapName} "${name.replaceAll('"', '""')}" ${role}`),
  );
  const head = '# Rewritten at each start.';
  const rules = [...roles.map((role) => `local all ${role} peer map=${mapName}`), 'local all all reject'];
  return [
    writeWhole(path.join(clusterDir, 'pg_ident.conf'), [head, ...lines], user),
    writeWhole(path.join(clusterDir, 'pg_hba.conf'), [head, ...rules], user),
  ].includes(true);
}

const mapName = 'sliproad';

/** Another process may be starting the same cluster. It must see the complete old file or the complete new one. */
function writeWhole(file: string, lines: readonly string[], user: OsUser): boolean {
  const text = `${lines.join('\n')}\n`;
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
  if (isRoot()) lchownSync(temporary, user.uid, user.gid);
  renameSync(temporary, file);
  return true;
}
