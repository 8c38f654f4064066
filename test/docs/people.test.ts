// Tests the people pages of the docs. Their tables of roles equal those in the code, and the commands of README.md run on a new
// sandbox.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  BUSINESS_PERMISSIONS,
  BUSINESS_ROLES,
  OPERATOR_PERMISSIONS,
  OPERATOR_ROLES,
} from '../../src/domain/people/roles.ts';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { makeHome } from '../support/home.ts';
import { runCommand, startProcess } from '../support/process.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(REPOSITORY, file), 'utf8');

function tableOf(roles: readonly string[]): Record<string, string[]> {
  const head = '| permission | to | roles |\n';
  const tables = read('docs/operate/people.md')
    .split(head)
    .slice(1)
    .map((after) => after.split('\n\n')[0]!);
  const rows = tables.find((table) => table.includes(`| ${roles[0]}`));
  assert.ok(rows !== undefined, `docs/operate/people.md has no table of ${roles.join(', ')}`);
  return Object.fromEntries(
    [...rows.matchAll(/^\| `([\w.]+)` \|[^|]+\| ([^|]*) \|$/gm)].map(([, permission, cell = '']) => {
      const named = cell.split(', ');
      assert.ok(
        named.every((role) => roles.includes(role)),
        permission,
      );
      return [permission, roles.filter((role) => named.includes(role))];
    }),
  );
}

test('docs/operate/people.md gives each role the same rights as the table in the code', () => {
  assert.deepEqual(tableOf(OPERATOR_ROLES), { ...OPERATOR_PERMISSIONS });
  assert.deepEqual(tableOf(BUSINESS_ROLES), { ...BUSINESS_PERMISSIONS });
});

test('README.md: an operator signs in, proposes and invites', async (t) => {
  const home = await makeUsedHome(t);
  const service = await startProcess(t, { home });
  const [, section = ''] = /\n## People\n(.*?)\n## /s.exec(read('README.md')) ?? [];
  const [credentials = '', commands = ''] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(
    ([, text = '']) => text,
  );
  const here = credentials.replaceAll('./data/', `${home.dataDir}/`);
  const answers = execFileSync('sh', ['-ec', here], { cwd: REPOSITORY, encoding: 'utf8' });
  assert.equal(answers.split('\n')[0], service.sandbox().operator.password);
  const lines = commands.split('\n').filter((line) => line !== '');
  assert.equal(lines.length, 4);
  let printed = '';
  for (const line of lines) {
    const [program, ...words] = line.replace(/ #.*/, '').match(/"[^"]*"|\S+/g) ?? [];
    assert.equal(program, 'bin/sliproad');
    const args = words.map((word) => word.replaceAll('"', ''));
    const settings = { CLI_SESSION_FILE: path.join(home.root, 'session.json') };
    const { code, stdout, stderr } = await runCommand(home, args, settings, answers);
    assert.equal(code, 0, `${line}: ${stderr}`);
    printed += stdout;
  }
  for (const expected of [
    'Signed in as',
    'proposes to add the live vendor',
    'Invited ada@',
    '/app/invitation#',
  ])
    assert.ok(printed.includes(expected), expected);
});

test('the key file can be created before the setting SECRETS_KEY_FILE is set', async (t) => {
  const home = await makeHome(t);
  const own = { DATABASE_URL: 'postgres://localhost/none' };
  const file = path.join(home.root, 'secrets-key');
  const refused = await runCommand(home, ['people', 'list'], own);
  assert.match(
    refused.stderr,
    /SECRETS_KEY_FILE must name .* Create one with: bin\/sliproad secrets make-key/,
  );
  const made = await runCommand(home, ['secrets', 'make-key', file], own);
  assert.equal(made.code, 0, made.stderr);
  assert.match(readFileSync(file, 'utf8'), /^fingerprint /m);
});
