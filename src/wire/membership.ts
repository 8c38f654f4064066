// What invitations, members, sign-ups and new passwords need: the stores of people, and those beside them.

import type { Database } from '../adapters/postgres/connection/database.ts';
import { makeMailQueue } from '../adapters/postgres/mail/mail-queue.ts';
import { makeInvitationStore } from '../adapters/postgres/people/invitations.ts';
import { makeResetStore } from '../adapters/postgres/people/resets.ts';
import { makeSignUpStore } from '../adapters/postgres/people/sign-ups.ts';
import type { MembershipDeps } from '../app/membership/membership-deps.ts';
import type { PeopleDeps } from '../app/people/people-deps.ts';
import type { Config } from '../config.ts';
import { publicUrls } from './public-urls.ts';

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
    publicBaseUrl: publicUrls(config).main,
    sandbox,
  };
}
