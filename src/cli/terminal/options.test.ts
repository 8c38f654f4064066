// Tests the options and arguments of a command line. Unknown input is refused with a hint.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from './command-error.ts';
import { type OptionTable, readArguments, usageOf, type WordTable } from './options.ts';

const OPTIONS = {
  mode: { choices: ['live', 'test'], about: 'the mode' },
  'valid-for': { value: 'DURATION', about: 'how long' },
  yes: { about: 'do it' },
} as const satisfies OptionTable;
const NEEDED = { name: { value: 'NAME', needed: true, about: 'a name' } } as const satisfies OptionTable;

function refused(args: readonly string[], words: WordTable = [], options: OptionTable = OPTIONS): string {
  let message = '';
  assert.throws(
    () => readArguments(args, { words, options }),
    (error) => {
      assert.ok(error instanceof UsageError);
      message = error.message;
      return true;
    },
  );
  return message;
}

test('options are read by name in any order, and arguments in their given order', () => {
  const line = ['a', '--mode', 'test', 'b', '--yes', '--valid-for=-1', '--', '--c'];
  const read = readArguments(line, { words: ['FIRST', 'MORE...'], options: OPTIONS } as const);
  assert.deepEqual(read.options, { mode: 'test', yes: true, 'valid-for': '-1' });
  assert.deepEqual(read.words, ['a', ['b', '--c']]);
  const none = readArguments([], { words: ['[NAME]', '[MORE...]'], options: OPTIONS } as const);
  assert.deepEqual(none.words, [undefined, []]);
  assert.deepEqual(none.options, { mode: undefined, yes: false, 'valid-for': undefined });
});

test('every command has --json, --no-color and --help; with --help no argument is required', () => {
  const { globals } = readArguments(['--json', '--no-color'], { words: [], options: {} });
  assert.deepEqual(globals, { json: true, 'no-color': true, help: false });
  assert.equal(readArguments(['-h'], { words: ['ID'], options: NEEDED }).globals.help, true);
  assert.match(
    refused(['--reason', '--json'], [], { reason: { value: 'TEXT', about: '' } }),
    /needs a value/,
  );
});

test('the error for an unknown option suggests the nearest option, or lists all options', () => {
  assert.equal(refused(['--moed', 'test']), 'There is no option --moed. Did you mean --mode?');
  const all = 'Known options: --mode, --valid-for, --yes, --json, --no-color, --help.';
  assert.equal(refused(['--frobnicate']), `There is no option --frobnicate. ${all}`);
  assert.equal(refused(['-m', 'test']), `There is no option -m. ${all}`);
});

test('errors do not repeat input that may be a secret', () => {
  const secret = 'f'.repeat(64);
  for (const args of [[`--${secret}`], [`--key=${secret}`], [secret]]) {
    assert.doesNotMatch(refused(args), /fff/);
  }
});

test('the error for a missing, wrong or unexpected value names its option', () => {
  assert.match(refused(['--mode']), /^--mode needs a value/);
  assert.match(refused(['--mode', '--yes']), /^--mode needs a value/);
  assert.match(refused(['--valid-for=']), /^--valid-for needs a value/);
  assert.equal(refused(['--mode', 'both']), '--mode must be live or test.');
  assert.match(refused(['--yes=no']), /^--yes takes no value/);
  assert.equal(refused([], [], NEEDED), '--name is missing.');
});

test('missing and additional arguments are refused', () => {
  assert.match(refused(['a']), /besides its options this command takes no arguments/);
  assert.match(refused(['a', 'b'], ['ID']), /besides its options this command takes one argument/);
  assert.equal(refused([], ['ID']), 'ID is missing.');
  assert.equal(refused([], ['TEXT...']), 'TEXT is missing.');
});

test('the usage text is generated from the same declaration as the options', () => {
  assert.equal(
    usageOf({ words: ['ID', '[MORE...]'], options: { ...OPTIONS, ...NEEDED } }),
    'ID [MORE...] [--mode live|test] [--valid-for DURATION] [--yes] --name NAME',
  );
});
