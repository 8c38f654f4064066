// The service supports PostgreSQL 15 to 18. An older server lacks features that the service needs, so the service refuses to
// start. A newer server is not tested yet, so the service warns at the start.

const OLDEST = 15;
const NEWEST = 18;

export class ServerVersionError extends Error {
  override readonly name = 'ServerVersionError';
}

export interface VersionVerdict {
  readonly state: 'supported' | 'too_old' | 'untested';
  /** A message for the operator; empty when the version is supported. */
  readonly text: string;
}

export function judgeServerVersion(versionNumber: number): VersionVerdict {
  const major = Math.floor(versionNumber / 10_000);
  if (major < OLDEST)
    return {
      state: 'too_old',
      text: `This PostgreSQL server is version ${major}. Sliproad needs ${OLDEST} to ${NEWEST}: upgrade the server, or name another with DATABASE_URL.`,
    };
  if (major > NEWEST)
    return {
      state: 'untested',
      text: `this PostgreSQL server is version ${major}, and Sliproad is tested with ${OLDEST} to ${NEWEST}`,
    };
  return { state: 'supported', text: '' };
}

interface Queryable {
  query(text: string): Promise<{ readonly rows: readonly Record<string, unknown>[] }>;
}

/** Throws if the server is too old. Calls `warn` if the server is newer than the tested versions. */
export async function requireServerVersion(client: Queryable, warn: (text: string) => void): Promise<void> {
  const { rows } = await client.query(`select current_setting('server_version_num')::int as number`);
  const { state, text } = judgeServerVersion(Number(rows[0]!.number));
  if (state === 'too_old') throw new ServerVersionError(text);
  if (state === 'untested') warn(text);
}
