// Personal data of customers: its desk, and the keyed hash that stands for an erased value.
import type { Database } from '../../adapters/postgres/connection/database.ts';
import { makePrivacyDesk } from '../../adapters/postgres/privacy/privacy-desk.ts';
import { makePersonalHash } from '../../adapters/secrets/personal-hash.ts';
import type { SecretBox } from '../../ports/people/credentials.ts';
import type { PersonalHash, PrivacyDesk } from '../../ports/privacy/privacy-desk.ts';

export interface PrivacyParts {
  readonly privacy: PrivacyDesk;
  readonly personalHash: PersonalHash;
}

export function openPrivacy(database: Database, box: SecretBox): PrivacyParts {
  const personalHash = makePersonalHash(box);
  return { privacy: makePrivacyDesk(database, personalHash), personalHash };
}
