// Tests the rotation of the key file: every stored secret is sealed again, and the old key can be dropped.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { addTestPerson, makePeople, signIn } from '../../../test/support/people/people.ts';
import { makeSealedTotp } from '../../adapters/postgres/people/sealed-totp.ts';
import { addSecretsKey, dropOldSecretsKeys, openSecretBox } from '../../adapters/secrets/key-file.ts';
import { totpPurpose } from './people-deps.ts';
import { countUnreadableSecrets, resealSecrets } from './reseal-secrets.ts';

const database = openTestDatabase(await freshDatabase());

test('people can sign in before, during and after a key rotation, and then the old key is no longer needed', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-reseal-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = path.join(directory, 'secrets-key');
  const people = makePeople(database, { box: await openSecretBox(file, true) });
  const persons = [];
  for (let i = 0; i < 3; i++) persons.push(await addTestPerson(database, people));
  const table = makeSealedTotp(database, totpPurpose);
  const inTwos = { ...table, after: (id: string) => table.after(id, 2) };
  await addSecretsKey(file);
  const operator = await openSecretBox(file, false);
  for (const person of persons) await signIn(people, person);
  const reseal = () => resealSecrets({ box: operator, tables: [inTwos] });
  assert.deepEqual(await reseal(), [{ name: 'totp_secrets', seen: 3, resealed: 3 }]);
  for (const person of persons) await signIn(people, person);
  assert.deepEqual(await reseal(), [{ name: 'totp_secrets', seen: 3, resealed: 0 }], 'once is enough');
  await dropOldSecretsKeys(file);
  for (const person of persons) await signIn(people, person);
  const tables = [inTwos];
  assert.equal(await countUnreadableSecrets({ box: operator, tables }), 0);
  const other = await openSecretBox(path.join(directory, 'another-key'), true);
  assert.equal(
    await countUnreadableSecrets({ box: other, tables }),
    3,
    'a copy from before the rotation is noticed',
  );
});

test('a secret that is replaced during the rotation stays unchanged', async () => {
  const people = makePeople(database);
  const { deps } = people;
  const person = await addTestPerson(database, people);
  const table = makeSealedTotp(database, totpPurpose);
  const rows = await table.after('', 1_000);
  const secret = rows.find(({ id }) => id.startsWith(person.id))!;
  assert.equal(Buffer.from(deps.box.unseal(secret.sealed, secret.purpose)).length, 20);
  assert.equal(await table.replace({ ...secret, sealed: 'another' }, 'new'), false);
});
