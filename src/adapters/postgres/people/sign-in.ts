// The sign-in store on PostgreSQL, of its three parts.
import type { SignInStore } from '../../../ports/people/sign-in.ts';
import type { Database } from '../connection/database.ts';
import { factorsIn } from './factors.ts';
import { sessionsIn } from './sessions.ts';
import { triesIn } from './tries.ts';

export function makeSignInStore(database: Database): SignInStore {
  return { ...triesIn(database), ...factorsIn(database), ...sessionsIn(database) };
}
