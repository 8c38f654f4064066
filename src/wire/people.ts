// Opens everything about people: their stores, the creation and checking of their credentials, and the encryption of their
// secrets.
import { makePasskeys } from '../adapters/people/passkeys.ts';
import { makePasswords } from '../adapters/people/passwords.ts';
import { makeTotp } from '../adapters/people/totp.ts';
import { makeAuditLog } from '../adapters/postgres/audit/audit-log.ts';
import type { Database } from '../adapters/postgres/connection/database.ts';
import { makeMailQueue } from '../adapters/postgres/mail-queue.ts';
import { makeInvitationStore } from '../adapters/postgres/people/invitations.ts';
import { makePeopleStore, makeSignInStore } from '../adapters/postgres/people/people.ts';
import { makeResetStore } from '../adapters/postgres/people/resets.ts';
import { hasSealedSecrets } from '../adapters/postgres/people/sealed-totp.ts';
import { makeSignUpStore } from '../adapters/postgres/people/sign-ups.ts';
import { openSecretBox } from '../adapters/secrets/key-file.ts';
import type { MembershipDeps } from '../app/membership/membership-deps.ts';
import type { PeopleDeps } from '../app/people/people-deps.ts';
import type { Config } from '../config.ts';
import type { Clock, Entropy } from '../ports/clock.ts';
import { derivePasskeyOrigin, derivePublicUrls } from './public-urls.ts';

/** The name that authenticator apps show next to a person's email address. */
const AUTHENTICATOR_NAME = 'Sliproad';

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
    totp: makeTotp(AUTHENTICATOR_NAME),
    passkeys: makePasskeys({ ...derivePasskeyOrigin(config), name: AUTHENTICATOR_NAME }),
    box: await openBox(config, database),
    clock,
    entropy,
  };
}

/**
 * The first start on the embedded database creates the key file. A restored database needs the key file with which its secrets
 * were encrypted.
 */
async function openBox({ secretsKeyFile, databaseUrl }: Config, database: Database) {
  return openSecretBox(secretsKeyFile, databaseUrl === null && !(await hasSealedSecrets(database)));
}

export function openMembership(
  config: Config,
  {
    database,
    people,
    sandbox,
  }: { readonly database: Database; readonly people: PeopleDeps; readonly sandbox: boolean },
): MembershipDeps {
  return {
    ...people,
    invitations: makeInvitationStore(database),
    signUps: makeSignUpStore(database),
    resets: makeResetStore(database),
    mails: makeMailQueue(database),
    publicBaseUrl: derivePublicUrls(config).main,
    sandbox,
  };
}
