// Profiles of statement files: every mistake is said at once, and a header fits a profile only with all of its columns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchHeader, ProfileError, parseProfiles, readProfiles } from './profile.ts';

const COLUMNS = { date: ['Date'], narration: ['Details'], debit: ['Debit'], credit: ['Credit'] };

function mistakes(profile: unknown, name = 'own'): readonly string[] {
  try {
    parseProfiles({ [name]: profile }, true, 'own.json');
  } catch (error) {
    assert.ok(error instanceof ProfileError);
    const [first, ...problems] = error.message.split('\n');
    assert.equal(first, 'own.json has mistakes:');
    return problems.map((problem) => problem.replace(`profile ${name}: `, ''));
  }
  return [];
}

test('a profile names the columns of date, narration and amount, and nothing that is not known', () => {
  const { debit, credit, ...bare } = COLUMNS;
  const lacking = 'it needs the columns "debit" and "credit", or "amount".';
  const cases: readonly (readonly [unknown, readonly string[]])[] = [
    [{ columns: COLUMNS }, []],
    [{ columns: { ...bare, amount: ['Amount'] } }, []],
    [{ columns: bare }, [lacking]],
    [{ columns: { ...bare, debit } }, [lacking]],
    [{ columns: { ...bare, credit } }, [lacking]],
    [{ columns: { debit, credit } }, ['it needs the column "date".', 'it needs the column "narration".']],
    [{ columns: { ...COLUMNS, balance: [] } }, ['"balance" must be a list of header names.']],
    [{ columns: { ...COLUMNS, balance: [' - '] } }, ['"balance" must be a list of header names.']],
    [{ columns: COLUMNS, optional: ['balance'] }, ['"optional" must be a list of columns of this profile.']],
    [{ columns: COLUMNS, days: 'ymd' }, ['"days" must be dmy or mdy.']],
    [{ columns: COLUMNS, decimal: ';' }, ['"decimal" must be . or ,.']],
  ];
  for (const [profile, expected] of cases) assert.deepEqual(mistakes(profile), expected);
  assert.match(mistakes({ columns: { ...COLUMNS, colour: ['x'] } })[0]!, /^the column "colour" is not known/);
  assert.match(mistakes({ columns: COLUMNS, colour: 1 })[0]!, /^"colour" is not known; there are title, /);
  assert.deepEqual(mistakes({ columns: COLUMNS }, 'Own'), [
    'its name must be small letters, digits and dashes.',
  ]);
});

test('a header fits where every column that is not optional is there, however it is spelled', () => {
  const [profile] = parseProfiles(
    { own: { columns: { ...COLUMNS, balance: ['Balance'] }, optional: ['balance', 'debit'] } },
    true,
    'own.json',
  );
  const header = ['DETAILS', 'date', 'Credit (NGN)', 'Debit'];
  assert.deepEqual(matchHeader(profile!, header), { date: 1, narration: 0, debit: 3, credit: 2, sides: [] });
  assert.equal(matchHeader(profile!, header.slice(1)), undefined, 'the narration is missing');
  assert.equal(matchHeader(profile!, header.slice(0, 3)), undefined, 'the amount of a debit is missing');
});

test('the generic profile is tried last', () => {
  assert.equal(readProfiles(null).at(-1)!.name, 'generic');
});
