// Tests questions at a terminal. The question stays on its line while the person types the answer, and a secret answer is not
// shown.
import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'node:test';
import { makeQuestions } from './questions.ts';

function terminal() {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  let screen = '';
  const output = new Writable({
    write: (part, _encoding, done) => {
      screen += String(part);
      done();
    },
  });
  return { input, questions: makeQuestions(input, output), screen: () => screen };
}

test('the question is printed after the line is cleared, and the answer is shown', async () => {
  const { input, questions, screen } = terminal();
  const asked = questions.ask('Code: ');
  input.write('123456\r');
  assert.equal(await asked, '123456');
  const afterClearing = screen().split('\u001b[0J').at(-1)!;
  assert.match(afterClearing, /Code: /);
  assert.match(screen(), /123456/);
});

test('a secret answer is not shown', async () => {
  const { input, questions, screen } = terminal();
  const asked = questions.askSecretly('Password: ');
  input.write('open sesame\r');
  assert.equal(await asked, 'open sesame');
  assert.equal(screen(), 'Password: \n');
});
