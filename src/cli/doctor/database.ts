// The database as the doctor judges it: version, durability, role, migrations, and the counter of transactions.
import type { Config } from '../../config.ts';
import type { DoctorDesk } from '../../wire/desks/doctor.ts';
import { type Check, ok, problem, reasonOf, warning } from './check.ts';

type Facts = NonNullable<Awaited<ReturnType<DoctorDesk['database']>>>;

export interface DatabaseReport {
  readonly checks: readonly Check[];
  /** Whether more can be asked of it: it is reached, and no start would refuse it or change it. */
  readonly usable: boolean;
  readonly clockAheadMs: number | null;
}

export async function checkDatabase(config: Config, desk: DoctorDesk): Promise<DatabaseReport> {
  const closed = { usable: false, clockAheadMs: null };
  try {
    const facts = await desk.database();
    if (facts !== undefined) return judge(facts);
    const none = `there is none in ${config.dataDir} yet`;
    const mend =
      'The first start makes it: npm start. If the service has run before, run the doctor in its directory or set DATA_DIR.';
    return { ...closed, checks: [warning('database', none, mend)] };
  } catch (error) {
    const what = config.databaseUrl === null ? `DATA_DIR ${config.dataDir}` : 'DATABASE_URL';
    const mend =
      config.databaseUrl === null
        ? `Look into ${config.dataDir}/postgres.log.`
        : 'Start the server, or correct host, port, name, role and password in DATABASE_URL.';
    return {
      ...closed,
      checks: [problem('database', `it cannot be reached (${what}): ${reasonOf(error)}`, mend)],
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
  fsync: 'a crash of the machine can destroy the whole database',
  full_page_writes: 'a crash of the machine can destroy pages of the database',
  synchronous_commit: 'an accepted request can be lost when the server stops',
};

/** `local`, `remote_write` and `remote_apply` are on disk here before the answer. */
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
  if (!superuser) return ok('database', `the role ${role} is no superuser`);
  return warning(
    'database',
    `the role ${role} is a superuser: whoever takes over the service can read every file of the server`,
    'Give the service a role that owns its own database and nothing else: docs/operating.md, Your own PostgreSQL.',
  );
}

function migrationCheck({ migrations: { missing, problem: refusal } }: Facts): Check {
  if (refusal !== null) return problem('database', 'the start refuses its migrations', refusal);
  if (missing.length === 0) return ok('database', 'all migrations are applied');
  return warning(
    'database',
    `${missing.length} migrations are missing, from ${missing[0]} on`,
    'The next start applies them. Make a backup first.',
  );
}

/** The server keeps transaction ids in segments of this many; a new segment needs nothing that is on disk already. */
const SEGMENT = 0x100000n;

function counterCheck({ nextTransaction, highestCommit }: Facts): Check {
  if (highestCommit === null) return ok('database', 'the counter of transactions is above every record');
  const next = (highestCommit / SEGMENT + 1n) * SEGMENT;
  const [epoch, id] = [next >> 32n, next & 0xffffffffn];
  return problem(
    'database',
    `records name transaction ${highestCommit}, and the server is at ${nextTransaction}: it was restored from a dump into another server, and readers of events stand still`,
    `Stop every process of the service and the server, cleanly. As the server's own user: pg_resetwal -e ${epoch} -x ${id} -D DIRECTORY_OF_THE_SERVER. Then start both.`,
  );
}
