// A misspelt command is answered with the command that was meant, and with the list of commands otherwise.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unknownCommandMessage } from './find-command.ts';

const COMMANDS = ['vendors list', 'vendors add', 'keys list', 'reviews propose refund', 'backup'].map(
  (name) => ({ name }),
);

function answerTo(line: string): string {
  return unknownCommandMessage(line.split(' '), COMMANDS);
}

test('a misspelt command is answered with the nearest one', () => {
  for (const [line, meant] of [
    ['vendor list', 'vendors list'],
    ['vendors lsit', 'vendors list'],
    ['keys lists --business biz_1', 'keys list'],
    ['reviews propose refnd mov_1 --as ada', 'reviews propose refund'],
    ['bakcup /var/backups/monday', 'backup'],
  ] as const) {
    assert.match(answerTo(line), new RegExp(`Did you mean: bin/sliproad ${meant}$`), line);
  }
});

test('a command that is like no other is answered with the list of its group, or of all', () => {
  assert.equal(
    answerTo('vendors frobnicate'),
    'There is no command "vendors frobnicate". See: bin/sliproad vendors --help',
  );
  assert.equal(answerTo('dance'), 'There is no command "dance". See: bin/sliproad --help');
});
