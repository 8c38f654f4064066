// Tests the operator's profile file. The message about an invalid profile gives the name of the profile.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SettingsError } from '../../settings-problems.ts';
import { parseColumnProfiles } from './column-profile.ts';

const COLUMNS = { date: ['Date'], narration: ['Details'], amount: ['Amount'] };
const parse = (json: unknown) => parseColumnProfiles('own.json', JSON.stringify(json), true);

function problemOf(json: unknown): string {
  let message = '';
  assert.throws(
    () => parse(json),
    (error) => {
      assert.ok(error instanceof SettingsError);
      message = error.message;
      return true;
    },
  );
  return message;
}

test('a profile file must be an object; even an empty list is refused', () => {
  assert.deepEqual(parse({}), []);
  for (const json of [[], [{ columns: COLUMNS }], null, 'mine', 7])
    assert.equal(
      problemOf(json),
      'own.json: The whole file must be an object { … } with one entry for each profile.',
    );
});

test('a profile and its columns must be objects', () => {
  assert.equal(parse({ mine: { columns: COLUMNS } })[0]!.title, 'mine');
  for (const value of [[], null, 'x']) {
    assert.equal(problemOf({ mine: value }), 'own.json: mine must be an object { … }.');
    assert.equal(problemOf({ mine: { columns: value } }), 'own.json: mine.columns must be an object { … }.');
  }
});
