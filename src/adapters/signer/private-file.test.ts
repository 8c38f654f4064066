// Tests that a file of secrets is replaced completely or not at all.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { KeyFileError } from './key-file-format.ts';
import { replacePrivateFile } from './private-file.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-private-'));
after(() => rmSync(directory, { recursive: true }));
const location = path.join(directory, 'secrets.json');
const making = (text: string) => async () => ({ text, result: text.length });

test('the file is replaced by the new text, only its owner can read it, and the result is returned', async () => {
  writeFileSync(location, 'old', { mode: 0o600 });
  assert.equal(await replacePrivateFile(location, making('newer')), 5);
  assert.equal(readFileSync(location, 'utf8'), 'newer');
  assert.equal(statSync(location).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(directory), ['secrets.json']);
});

test('if the disk is full, the old file stays unchanged and no temporary file remains', async (t) => {
  writeFileSync(location, 'old', { mode: 0o600 });
  const handle = await open(location, 'r');
  const handles = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  t.mock.method(handles, 'writeFile', async () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  });
  await assert.rejects(replacePrivateFile(location, making('newer')), (error: unknown) => {
    assert.ok(error instanceof KeyFileError);
    assert.deepEqual(
      [error.code, error.message],
      ['file_unusable', `${location} cannot be written: ENOSPC.`],
    );
    return true;
  });
  assert.equal(readFileSync(location, 'utf8'), 'old');
  assert.deepEqual(readdirSync(directory), ['secrets.json']);
});
