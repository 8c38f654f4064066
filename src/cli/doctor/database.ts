// The checks of `sliproad doctor` on the database: version, durability, role, migrations and transaction counter.
import type { Config } from '../../config.ts';
import type { DoctorProbes } from '../../wire/admin/doctor-probes.ts';
import { type DoctorCheck, okCheck, problemCheck, reasonOf, warningCheck } from './check.ts';

type DoctorDatabaseFacts = NonNullable<Awaited<ReturnType<DoctorProbes['database']>>>;

export interface DatabaseReport {
  readonly checks: readonly DoctorCheck[];
  /**
   * Whether further checks can read the database. The database must be reachable, and the service must be able to start on it
   * without a migration.
   */
  readonly usable: boolean;
  readonly clockAheadMs: number | null;
}

export async function checkDatabase(config: Config, desk: DoctorProbes): Promise<DatabaseReport> {
  const closed = { usable: false, clockAheadMs: null };
  try {
    const facts = await desk.database();
    if (facts !== undefined) return judgeDatabase(facts);
    const none = `there is no database in ${config.dataDir} yet`;
    const fix =
      'The first start creates it: npm start. If the service has run before, run the doctor in its directory or set DATA_DIR.';
    return { ...closed, checks: [warningCheck('database', none, fix)] };
  } catch (error) {
    const what = config.databaseUrl === null ? `DATA_DIR ${config.dataDir}` : 'DATABASE_URL';
    const fix =
      config.databaseUrl === null
        ? `Check ${config.dataDir}/postgres.log.`
        : 'Start the server, or correct host, port, name, role and password in DATABASE_URL.';
    return {
      ...closed,
      checks: [problemCheck('database', `it cannot be reached (${what}): ${reasonOf(error)}`, fix)],
    };
  }
}

function judgeDatabase(facts: DoctorDatabaseFacts): DatabaseReport {
  const migrations = checkMigrations(facts);
  return {
    checks: [
      checkVersion(facts),
      ...checkDurability(facts),
      checkRole(facts),
      migrations,
      checkCounter(facts),
    ],
    usable: facts.verdict.state !== 'too_old' && migrations.state === 'ok',
    clockAheadMs: facts.clockAheadMs,
  };
}

function checkVersion({ version, verdict }: DoctorDatabaseFacts): DoctorCheck {
  if (verdict.state === 'too_old')
    return problemCheck('database', `PostgreSQL ${version} is too old`, verdict.text);
  if (verdict.state === 'untested')
    return warningCheck(
      'database',
      verdict.text,
      'Use a server of version 15 to 18, or test this one yourself.',
    );
  return okCheck('database', `PostgreSQL ${version}`);
}

const LOSES: Readonly<Record<string, string>> = {
  fsync: 'a machine crash can destroy the whole database',
  full_page_writes: 'a machine crash can destroy pages of the database',
  synchronous_commit: 'an accepted request can be lost when the server stops',
};

/**
 * Only the value `off` is a problem. With `local`, `remote_write` and `remote_apply`, too, a commit is on the local disk before
 * the server confirms it.
 */
function checkDurability({ settings }: DoctorDatabaseFacts): DoctorCheck[] {
  const wrong = Object.entries(settings).filter(([, value]) => value === 'off');
  if (wrong.length === 0) return [okCheck('database', 'commits are on disk before they are confirmed')];
  return wrong.map(([name]) =>
    problemCheck(
      'database',
      `${name} is off: ${LOSES[name]}`,
      `alter system set ${name} = on; select pg_reload_conf();`,
    ),
  );
}

function checkRole({ role, superuser }: DoctorDatabaseFacts): DoctorCheck {
  if (!superuser) return okCheck('database', `the role ${role} is not a superuser`);
  return warningCheck(
    'database',
    `the role ${role} is a superuser: whoever takes over the service can read every file of the server`,
    'Give the service a role that owns its own database and nothing else: docs/operate/first-day.md, Your own PostgreSQL.',
  );
}

function checkMigrations({ migrations: { missing, problem: refusal } }: DoctorDatabaseFacts): DoctorCheck {
  if (refusal !== null)
    return problemCheck('database', 'the service refuses the database migrations', refusal);
  if (missing.length === 0) return okCheck('database', 'all migrations are applied');
  return warningCheck(
    'database',
    `${missing.length} migrations are missing, starting with ${missing[0]}`,
    'The next start applies them. Make a backup first.',
  );
}

/**
 * One segment file of the database server covers this many transaction ids. A counter at the start of a new segment needs no
 * existing segment file.
 */
const SEGMENT = 0x100000n;

function checkCounter({ nextTransaction, highestCommit }: DoctorDatabaseFacts): DoctorCheck {
  if (highestCommit === null) return okCheck('database', 'the transaction counter is above every record');
  const next = (highestCommit / SEGMENT + 1n) * SEGMENT;
  const [epoch, id] = [next >> 32n, next & 0xffffffffn];
  return problemCheck(
    'database',
    `records name transaction ${highestCommit}, and the server is at ${nextTransaction}: the database was restored from a dump into another server, and event readers are stuck`,
    `Stop every process of the service and the server, cleanly. As the server's own user: pg_resetwal -e ${epoch} -x ${id} -D DIRECTORY_OF_THE_SERVER. Then start both.`,
  );
}
