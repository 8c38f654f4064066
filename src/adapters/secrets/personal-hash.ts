// Keyed hashes of personal data. Their key is made from the fingerprint key of the key file, which no rotation replaces: equal values
// have equal hashes for as long as the file lives, and without the file a guess cannot be tested.
import { createHmac } from 'node:crypto';
import { hashedText } from '../../domain/privacy/person.ts';
import { hashedForm } from '../../domain/values/erased.ts';
import type { SecretBox } from '../../ports/people/credentials.ts';
import type { PersonalHash } from '../../ports/privacy/privacy-desk.ts';

const PURPOSE = Buffer.from('keyed hashes of personal data, 1');

export function makePersonalHash(box: Pick<SecretBox, 'fingerprint'>): PersonalHash {
  let key: string | undefined;
  return (kind, value) => {
    key ??= box.fingerprint(PURPOSE);
    return hashedForm(createHmac('sha256', key).update(hashedText(kind, value)).digest());
  };
}
