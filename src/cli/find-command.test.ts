// The error for a misspelt command suggests the nearest command or, if none is near, the list of commands.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unknownCommandMessage } from './find-command.ts';

const COMMANDS = ['vendors list', 'vendors add', 'keys list', 'reviews propose refund', 'backup'].map(
  (name) => ({ name }),
);

function answerTo(line: string): string {
  return unknownCommandMessage(line.split(' '), COMMANDS);
}

test('the error for a misspelt command suggests the nearest command', () => {
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

test('the error for an unknown command names the help of its group, or the general help', () => {
  assert.equal(
    answerTo('vendors frobnicate'),
    'There is no command "vendors frobnicate". See: bin/sliproad vendors --help',
  );
  assert.equal(answerTo('dance'), 'There is no command "dance". See: bin/sliproad --help');
});
