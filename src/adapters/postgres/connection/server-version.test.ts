// Tests which server versions a start accepts. Every start must check the version.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeServerVersion, requireServerVersion, ServerVersionError } from './server-version.ts';

const serverOf = (number: number) => ({ query: async () => ({ rows: [{ number }] }) });

test('versions 15 to 18 are supported, an older one is refused with instructions to upgrade, and a newer one causes a warning', async () => {
  for (const number of [150000, 150018, 160004, 170006, 180001])
    assert.equal(judgeServerVersion(number).state, 'supported', String(number));
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  for (const number of [90624, 130022, 140019])
    await assert.rejects(requireServerVersion(serverOf(number), warn), (error) => {
      assert.ok(error instanceof ServerVersionError);
      assert.match(error.message, /needs 15 to 18: upgrade the server, or name another with DATABASE_URL/);
      return true;
    });
  assert.deepEqual(warnings, []);
  await requireServerVersion(serverOf(190000), warn);
  assert.match(warnings.join(), /version 19, and Sliproad is tested with 15 to 18/);
});
