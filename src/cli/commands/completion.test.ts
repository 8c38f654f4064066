// Completion scripts contain every command and option. A test runs the bash script in bash itself.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { Terminal } from '../command.ts';
import { COMMANDS } from '../commands.ts';

const completion = COMMANDS.find(({ name }) => name === 'completion')!;

async function scriptFor(shell: string): Promise<string> {
  const terminal = { print: () => undefined } as unknown as Terminal;
  return ((await completion.run(terminal, [shell])) as { readonly script: string }).script;
}

test('the script of each shell contains every command and option; an unknown shell is refused', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = await scriptFor(shell);
    for (const { name, options } of COMMANDS) {
      for (const word of name.split(' ')) assert.ok(script.includes(word), `${shell}: ${word}`);
      for (const option of Object.keys(options)) assert.ok(script.includes(option), `${shell}: --${option}`);
    }
  }
  await assert.rejects(scriptFor('cmd'), /SHELL must be one of bash, zsh, fish/);
});

test('in bash, groups, commands, options and option values are completed', async () => {
  const script = await scriptFor('bash');
  const complete = (...words: string[]) =>
    execFileSync(
      'bash',
      [
        '-c',
        `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sliproad; echo "\${COMPREPLY[@]}"`,
        'bash',
        'sliproad',
        ...words,
      ],
      {
        encoding: 'utf8',
      },
    ).trim();
  assert.equal(complete('ve'), 'vendors');
  assert.match(complete('businesses', ''), /^list add wallet tier$/);
  assert.match(complete('reviews', 'propose', ''), /^match split refund /);
  assert.equal(complete('keys', 'roll', 'key_1', '--o'), '--overlap');
  assert.equal(complete('keys', 'add', '--mode', ''), 'live test');
  assert.equal(complete('fees', 'set', '--mode', 'test', '--pro'), '--product');
});
