// Tests profiles of statement files. All mistakes are reported at once, and a header matches a profile only if it has all
// required columns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SettingsError } from '../../settings-problems.ts';
import { findColumns, parseColumnProfiles, readColumnProfiles } from './column-profile.ts';

const COLUMNS = { date: ['Date'], narration: ['Details'], debit: ['Debit'], credit: ['Credit'] };

const parse = (json: unknown) => parseColumnProfiles('own.json', JSON.stringify(json), true);

function mistakes(profile: unknown, name = 'own'): readonly string[] {
  try {
    parse({ [name]: profile });
  } catch (error) {
    assert.ok(error instanceof SettingsError);
    for (const line of error.message.split('\n')) assert.ok(line.startsWith(`own.json: ${name}`), line);
    return error.problems.map((problem) => problem.replace(/^\w+[ .]/, ''));
  }
  return [];
}

test('a profile must have columns for date, narration and amount, and no unknown fields', () => {
  const { debit, credit, ...bare } = COLUMNS;
  const lacking = 'columns needs "debit" and "credit", or "amount".';
  const missing = (column: string) =>
    `columns.${column} is missing: it must be a list of at least one header name.`;
  const cases: readonly (readonly [unknown, readonly string[]])[] = [
    [{ columns: COLUMNS }, []],
    [{ columns: { ...bare, amount: ['Amount'] } }, []],
    [{ columns: bare }, [lacking]],
    [{ columns: { ...bare, debit } }, [lacking]],
    [{ columns: { ...bare, credit } }, [lacking]],
    [{ columns: { debit, credit } }, [missing('date'), missing('narration')]],
    [{}, [missing('date'), missing('narration'), lacking]],
    [
      { columns: { ...COLUMNS, balance: [] } },
      ['columns.balance must be a list of at least one header name.'],
    ],
    [
      { columns: { ...COLUMNS, balance: [' - '] } },
      ['columns.balance[0] must be a header name with a letter or a digit.'],
    ],
    [
      { columns: COLUMNS, optional: ['balance'] },
      ['optional[0] must be one of "date", "narration", "debit", "credit".'],
    ],
    [{ columns: COLUMNS, optional: 'debit' }, ['optional must be a list of columns of this profile.']],
    [{ columns: COLUMNS, days: 'ymd' }, ['days must be one of "dmy", "mdy".']],
    [{ columns: COLUMNS, decimal: ';' }, ['decimal must be one of ".", ",". Did you mean "."?']],
  ];
  for (const [profile, expected] of cases) assert.deepEqual(mistakes(profile), expected);
  assert.match(
    mistakes({ columns: { ...COLUMNS, colour: ['x'] } })[0]!,
    /^columns\.colour is not a known field\./,
  );
  assert.match(
    mistakes({ columns: COLUMNS, colour: 1 })[0]!,
    /^colour is not a known field\..*Known fields: title, /,
  );
  assert.deepEqual(mistakes({ columns: COLUMNS }, 'Own'), [
    'must have a name of up to 31 small letters, digits and dashes, beginning with a letter.',
  ]);
});

test('a header matches if it has every required column, in any case and with any suffix in brackets', () => {
  const [profile] = parse({
    own: { columns: { ...COLUMNS, balance: ['Balance'] }, optional: ['balance', 'debit'] },
  });
  const header = ['DETAILS', 'date', 'Credit (NGN)', 'Debit'];
  assert.deepEqual(findColumns(profile!, header), { date: 1, narration: 0, debit: 3, credit: 2, sides: [] });
  assert.equal(findColumns(profile!, header.slice(1)), undefined, 'the narration is missing');
  assert.equal(findColumns(profile!, header.slice(0, 3)), undefined, 'the amount of a debit is missing');
});

test('the profiles that fit many banks come last', () => {
  assert.deepEqual(
    readColumnProfiles(null)
      .slice(-2)
      .map(({ name }) => name),
    ['generic', 'generic-wide'],
  );
});
