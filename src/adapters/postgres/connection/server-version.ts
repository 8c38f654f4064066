// Which PostgreSQL servers are supported: 15 to 18. An older server lacks features that the service needs, so the start refuses
// it. A newer server is not tested yet, so the start warns.

const OLDEST = 15;
const NEWEST = 18;

/** A failure whose message is written for the operator. */
export class ServerVersionError extends Error {
  override readonly name = 'ServerVersionError';
}

export interface VersionVerdict {
  readonly state: 'supported' | 'too_old' | 'untested';
  /** A message for the operator; empty when the version is supported. */
  readonly text: string;
}

/** Judges a `server_version_num`, for example 170002. */
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

/** Throws for a server that is too old; calls `warn` for a server that is newer than the tested versions. */
export async function requireServerVersion(client: Queryable, warn: (text: string) => void): Promise<void> {
  const { rows } = await client.query(`select current_setting('server_version_num')::int as number`);
  const { state, text } = judgeServerVersion(Number(rows[0]!.number));
  if (state === 'too_old') throw new ServerVersionError(text);
  if (state === 'untested') warn(text);
}
