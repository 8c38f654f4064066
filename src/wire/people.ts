// What people need: their stores, how credentials are made and judged, and the box that secrets are sealed in.
import { makePasskeys } from '../adapters/people/passkeys.ts';
import { makePasswords } from '../adapters/people/passwords.ts';
import { makeTotp } from '../adapters/people/totp.ts';
import { makeAuditLog } from '../adapters/postgres/audit/audit-log.ts';
import type { Database } from '../adapters/postgres/connection/database.ts';
import { makePeopleStore } from '../adapters/postgres/people/people.ts';
import { hasSealedSecrets } from '../adapters/postgres/people/sealed-secrets.ts';
import { makeSignInStore } from '../adapters/postgres/people/sign-in.ts';
import { openSecretBox } from '../adapters/secrets/key-file.ts';
import type { PeopleDeps } from '../app/people/people-deps.ts';
import type { Config } from '../config.ts';
import type { Clock, Entropy } from '../ports/clock.ts';
import { passkeyPlace } from './public-urls.ts';

/** What authenticator applications show beside a person's address. */
const NAME = 'Sliproad';

export async function openPeople(
  config: Config,
  {
    database,
    clock,
    entropy,
  }: { readonly database: Database; readonly clock: Clock; readonly entropy: Entropy },
): Promise<PeopleDeps> {
  return {
    signIn: makeSignInStore(database),
    people: makePeopleStore(database),
    audit: makeAuditLog(database),
    passwords: makePasswords(),
    totp: makeTotp(NAME),
    passkeys: makePasskeys({ ...passkeyPlace(config), name: NAME }),
    box: await openBox(config, database),
    clock,
    entropy,
  };
}

/** The first start on the embedded database makes the key file. A restored database needs the one it was sealed with. */
async function openBox({ secretsKeyFile, databaseUrl }: Config, database: Database) {
  return openSecretBox(secretsKeyFile, databaseUrl === null && !(await hasSealedSecrets(database)));
}
