// The sign-in store on PostgreSQL, of its parts.
import type { SignInStore } from '../../../ports/people/sign-in.ts';
import type { Database } from '../connection/database.ts';
import { codesIn } from './codes.ts';
import { passkeysIn } from './passkeys.ts';
import { pendingsIn } from './pending.ts';
import { sessionsIn } from './sessions.ts';
import { stepUpsIn } from './step-ups.ts';
import { triesIn } from './tries.ts';

export function makeSignInStore(database: Database): SignInStore {
  return {
    ...triesIn(database),
    ...pendingsIn(database),
    ...codesIn(database),
    ...passkeysIn(database),
    ...sessionsIn(database),
    ...stepUpsIn(database),
  };
}
