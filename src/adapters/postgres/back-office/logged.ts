// A change and its line in the operator log, in one transaction. Nothing is logged when nothing was changed.
import type pg from 'pg';
import type { Doing } from '../../../ports/back-office.ts';
import { type Database, sqlState } from '../connection/database.ts';

const UNIQUE_VIOLATION = '23505';

export type Logged = <T>(
  doing: Doing,
  action: string,
  detail: object,
  work: (client: pg.ClientBase) => Promise<T>,
) => Promise<T>;

export function makeLogged(database: Database): Logged {
  return <T>(
    doing: Doing,
    action: string,
    detail: object,
    work: (client: pg.ClientBase) => Promise<T>,
  ): Promise<T> =>
    database.transaction(async (client) => {
      const result = await work(client);
      if (result === false || result === 'not_found') return result; // nothing was changed
      await client.query('insert into operator_log (at, actor, action, detail) values ($1, $2, $3, $4)', [
        new Date(doing.atMs),
        doing.actor,
        action,
        JSON.stringify(detail),
      ]);
      return result;
    });
}

/** A unique violation is an expected answer here; everything else is thrown on. */
export async function unlessTaken<T, Taken extends string>(
  work: Promise<T>,
  taken: Taken,
): Promise<T | Taken> {
  try {
    return await work;
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) return taken;
    throw error;
  }
}
