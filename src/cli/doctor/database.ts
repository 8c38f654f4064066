// The doctor's checks of the database: version, durability, role, migrations and transaction counter.
import type { Config } from '../../config.ts';
import type { DoctorDesk } from '../../wire/desks/doctor.ts';
import { type Check, ok, problem, reasonOf, warning } from './check.ts';

type Facts = NonNullable<Awaited<ReturnType<DoctorDesk['database']>>>;

export interface DatabaseReport {
  readonly checks: readonly Check[];
  /** Whether further checks can read it: it is reachable, and a start would neither refuse nor migrate it. */
  readonly usable: boolean;
  readonly clockAheadMs: number | null;
}

export async function checkDatabase(config: Config, desk: DoctorDesk): Promise<DatabaseReport> {
  const closed = { usable: false, clockAheadMs: null };
  try {
    const facts = await desk.database();
    if (facts !== undefined) return judge(facts);
    const none = `there is no database in ${config.dataDir} yet`;
    const fix =
      'The first start creates it: npm start. If the service has run before, run the doctor in its directory or set DATA_DIR.';
    return { ...closed, checks: [warning('database', none, fix)] };
  } catch (error) {
    const what = config.databaseUrl === null ? `DATA_DIR ${config.dataDir}` : 'DATABASE_URL';
    const fix =
      config.databaseUrl === null
        ? `Check ${config.dataDir}/postgres.log.`
        : 'Start the server, or correct host, port, name, role and password in DATABASE_URL.';
    return {
      ...closed,
      checks: [problem('database', `it cannot be reached (${what}): ${reasonOf(error)}`, fix)],
    };
  }
}

function judge(facts: Facts): DatabaseReport {
  const migrations = migrationCheck(facts);
  return {
    checks: [
      versionCheck(facts),
      ...durabilityChecks(facts),
      roleCheck(facts),
      migrations,
      counterCheck(facts),
    ],
    usable: facts.verdict.state !== 'too_old' && migrations.state === 'ok',
    clockAheadMs: facts.clockAheadMs,
  };
}

function versionCheck({ version, verdict }: Facts): Check {
  if (verdict.state === 'too_old')
    return problem('database', `PostgreSQL ${version} is too old`, verdict.text);
  if (verdict.state === 'untested')
    return warning('database', verdict.text, 'Use a server of version 15 to 18, or test this one yourself.');
  return ok('database', `PostgreSQL ${version}`);
}

const LOSES: Readonly<Record<string, string>> = {
  fsync: 'a machine crash can destroy the whole database',
  full_page_writes: 'a machine crash can destroy pages of the database',
  synchronous_commit: 'an accepted request can be lost when the server stops',
};

/** With `local`, `remote_write` and `remote_apply`, commits are on the local disk before the answer. */
function durabilityChecks({ settings }: Facts): Check[] {
  const wrong = Object.entries(settings).filter(([, value]) => value === 'off');
  if (wrong.length === 0) return [ok('database', 'commits are on disk before they are answered')];
  return wrong.map(([name]) =>
    problem(
      'database',
      `${name} is off: ${LOSES[name]}`,
      `alter system set ${name} = on; select pg_reload_conf();`,
    ),
  );
}

function roleCheck({ role, superuser }: Facts): Check {
  if (!superuser) return ok('database', `the role ${role} is not a superuser`);
  return warning(
    'database',
    `the role ${role} is a superuser: whoever takes over the service can read every file of the server`,
    'Give the service a role that owns its own database and nothing else: docs/operate/first-day.md, Your own PostgreSQL.',
  );
}

function migrationCheck({ migrations: { missing, problem: refusal } }: Facts): Check {
  if (refusal !== null) return problem('database', 'the service refuses its migrations', refusal);
  if (missing.length === 0) return ok('database', 'all migrations are applied');
  return warning(
    'database',
    `${missing.length} migrations are missing, starting with ${missing[0]}`,
    'The next start applies them. Make a backup first.',
  );
}

/** The number of transaction ids per segment file of the server; a new segment needs no existing file. */
const SEGMENT = 0x100000n;

function counterCheck({ nextTransaction, highestCommit }: Facts): Check {
  if (highestCommit === null) return ok('database', 'the transaction counter is above every record');
  const next = (highestCommit / SEGMENT + 1n) * SEGMENT;
  const [epoch, id] = [next >> 32n, next & 0xffffffffn];
  return problem(
    'database',
    `records name transaction ${highestCommit}, and the server is at ${nextTransaction}: the database was restored from a dump into another server, and event readers are stuck`,
    `Stop every process of the service and the server, cleanly. As the server's own user: pg_resetwal -e ${epoch} -x ${id} -D DIRECTORY_OF_THE_SERVER. Then start both.`,
  );
}
