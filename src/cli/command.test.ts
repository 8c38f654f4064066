// Options and words of a command line: what a command does not know is refused with the way out, never ignored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANY_WORDS, readOptions, UsageError } from './command.ts';

const NAMES = { mode: 'text', 'valid-for': 'text', yes: 'flag' } as const;

function refused(args: readonly string[], words = 0): string {
  let message = '';
  assert.throws(
    () => readOptions(args, NAMES, words),
    (error) => {
      assert.ok(error instanceof UsageError);
      message = error.message;
      return true;
    },
  );
  return message;
}

test('options come by name in any order, the other words in theirs', () => {
  const read = readOptions(['a', '--mode', 'test', 'b', '--yes', '--valid-for=-1', '--', '--c'], NAMES, 3);
  assert.deepEqual(read, {
    options: { mode: 'test', yes: 'true', 'valid-for': '-1' },
    rest: ['a', 'b', '--c'],
  });
  assert.deepEqual(readOptions(['a', 'b'], {}, ANY_WORDS), { options: {}, rest: ['a', 'b'] });
});

test('an unknown option is answered with the nearest one, or with all of them', () => {
  assert.equal(refused(['--moed', 'test']), 'There is no option --moed. Did you mean --mode?');
  assert.equal(refused(['--json']), 'There is no option --json. Known options: --mode, --valid-for, --yes.');
  assert.throws(() => readOptions(['--json'], {}), { message: /--json\. This command takes no options\.$/ });
  assert.equal(refused(['-m', 'test']), 'There is no option -m. Known options: --mode, --valid-for, --yes.');
});

test('what may be a secret is not repeated', () => {
  const secret = 'f'.repeat(64);
  for (const args of [[`--${secret}`], [`--key=${secret}`], [secret]]) {
    assert.doesNotMatch(refused(args), /fff/);
  }
});

test('a value that is missing, or given to a flag, is named', () => {
  assert.match(refused(['--mode']), /^--mode needs a value/);
  assert.match(refused(['--mode', '--yes']), /^--mode needs a value/);
  assert.match(refused(['--yes=no']), /^--yes takes no value/);
});

test('more words than a command takes are refused', () => {
  assert.match(refused(['a']), /besides its options this command takes no words/);
  assert.match(refused(['a', 'b'], 1), /besides its options this command takes one word/);
});
