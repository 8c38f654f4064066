// Tests names as Nigerian claims and statements write them (threat 14): which names mean one person, which may mean one person,
// and which never do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareNames, normaliseName, parseName } from './name-match.ts';

function compare(a: string, b: string) {
  return compareNames(parseName(a), parseName(b));
}

type Pairs = readonly (readonly [string, string])[];

function expectVerdict(verdict: string, pairs: Pairs): void {
  for (const [a, b] of pairs) {
    assert.equal(compare(a, b).verdict, verdict, `${a} / ${b}`);
    assert.equal(compare(b, a).verdict, verdict, `${b} / ${a}`);
  }
}

test('a name becomes a list of words without case, accents, punctuation and titles', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['  Alhaji (Dr.) Musa  Bello ', ['MUSA', 'BELLO']],
    ['Adébáyọ̀ Ọláṣẹ́hìndé', ['ADEBAYO', 'OLASEHINDE']],
    ['Ƙasimu Ɓala Ɗanladi', ['KASIMU', 'BALA', 'DANLADI']],
    ["Mary-Jane O'Connor, J.P.", ['MARY', 'JANE', 'OCONNOR', 'J', 'P']],
    ['YAR’ADUA Saʼidu', ['YARADUA', 'SAIDU']],
    ['ADE & SONS (NIG.) LTD.', ['ADE', 'AND', 'SONS', 'NIGERIA', 'LIMITED']],
    ['Obi Intl Vent Svcs Ent Co', ['OBI', 'INTERNATIONAL', 'VENTURES', 'SERVICES', 'ENTERPRISES', 'COMPANY']],
    ['Mr.', []],
    [' -- ', []],
    ['', []],
  ];
  for (const [text, words] of cases) assert.deepEqual(normaliseName(text), words, text);
});

test('strong: the same person or company in another spelling', () => {
  expectVerdict('strong', [
    ['Adebayo Musa', 'MUSA ADEBAYO'],
    ['Mr. Adebayo Musa', 'musa, adebayo'],
    ['Adebayo Oluwaseun Musa', 'MUSA ADEBAYO'],
    ['Adebayo Oluwaseun Musa', 'ADEBAYO O MUSA'],
    ['Adébáyọ̀ Ògúnbọ̀wálé', 'OGUNBOWALE ADEBAYO'],
    ['Mary-Jane Okonkwo', 'MARYJANE OKONKWO'],
    ['Ade Musa', 'ADEMUSA'],
    ['Oluwaseun Christopher Ogunbowale', 'OLUWASEUN CHRISTOPHER OGUNBO'],
    ['Oluwaseun Christopher Ogunbowale', 'OLUWASEUN CHRISTOPHER'],
    ['Adebayo Musa Oluwaseun', 'ADEBAYO MUSA OLUWASEUM'],
    ['Adebayo Musa Ibrahim', 'ADEBAYO MUSA IBRAHMI'],
    ['Adebayo Foods Nigeria Limited', 'ADEBAYO FOODS NIG LTD'],
    ['Adebayo & Sons Ltd', 'ADEBAYO AND SONS LIMITED'],
    ['Adebayo Foods International', 'ADEBAYO FOODS INTERNATIO'],
    ['Adebayo Foods Ltd', 'ADEBAYO FOODS'],
    ['Chukwuemeka', 'CHUKWUEMEKA'],
    ['Dangote Plc', 'DANGOTE PLC'],
  ]);
});

test('weak: perhaps the same person, but not certain', () => {
  expectVerdict('weak', [
    ['Adebayo Musa', 'MUSA'],
    ['Adebayo Musa', 'A MUSA'],
    ['A Musa', 'A Musa'],
    ['Adebayo Musa', 'ADEBAYA MUSA'],
    ['Adebayo Musa', 'ADEABYO MUSA'],
    ['Adebayo Musa Bello', 'ADEBAYO MUSA SANI'],
    ['Ade Musa Snr Bello', 'ADE MUSA JNR'],
    ['Ibrahim Adebayo Musa Bello', 'IBRAHIN ADEBAYA MUSA BELLO'],
    ['Adebayo Foods Limited', 'ADEBAYO FOODS ENTERPRISES'],
    ['Dangote Plc', 'DANGOTE LTD'],
    ['Musa', 'Musa Ventures'],
    ['Li', 'Li'],
  ]);
});

test('different: another person, or no words to compare', () => {
  expectVerdict('different', [
    ['Adebayo Musa', 'OKAFOR EMEKA'],
    ['Adebayo Musa', 'BOLA MUSA'],
    ['Ade Musa', 'ADA MUSA'],
    ['Adebayo', 'ADELEKE'],
    ['A B', 'ADE BOLA'],
    // A bank cuts only the last word of a text, so ADEB is a different word.
    ['Adebayo Musa', 'ADEB MUSA'],
    ['Mr Okafor', 'MR MUSA'],
    ['Okafor Nigeria Limited', 'MUSA NIGERIA LIMITED'],
    ['Limited', 'LIMITED'],
    ['Chief Alhaji', 'CHIEF ALHAJI'],
    ['', ''],
    ['Adebayo Musa', ''],
  ]);
});

test('threat 14: names with look-alike or hidden characters are suspicious, even if they look equal', () => {
  expectVerdict('suspicious', [
    ['Аdebayo Musa', 'ADEBAYO MUSA'],
    ['Аdebayo Musa', 'Аdebayo Musa'],
    ['Ade\u200bbayo Musa', 'ADEBAYO MUSA'],
    ['\u202eAdebayo Musa', 'ADEBAYO MUSA'],
    ['Ａdebayo Musa', 'ADEBAYO MUSA'],
    ['Иван Петров', 'Иван Петров'],
    ['Аdebayo Musa', 'Okafor Emeka'],
  ]);
});

test('the score is lower when words are missing or misspelt', () => {
  const score = (text: string) => compare('Adebayo Oluwaseun Musa', text).score;
  assert.equal(score('MUSA ADEBAYO OLUWASEUN'), 100);
  assert.equal(score('ADEBAYO OLUWASEUM MUSA'), 90);
  assert.equal(score('ADEBAYO O MUSA'), 83);
  assert.equal(score('ADEBAYO MUSA'), 80);
  assert.equal(score('MUSA'), 50);
  assert.equal(score('OKAFOR EMEKA'), 0);
});

const ordinaryWord = fc.constantFrom(
  'Adebayo',
  'Musa',
  'Okafor',
  'Chukwuemeka',
  'Ibrahim',
  'Ngozi',
  'Bello',
  'Yusuf',
  'Folake',
  'Ekwueme',
);
const words = fc.uniqueArray(ordinaryWord, { minLength: 2, maxLength: 4 });
const anyName = fc.oneof(
  words.map((list) => list.join(' ')),
  fc.string({ unit: fc.constantFrom(...'ABEMS .&'), maxLength: 32 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

test('a comparison gives the same result in both directions, and the score is a whole number from 0 to 100', () => {
  fc.assert(
    fc.property(anyName, anyName, (a, b) => {
      const comparison = compare(a, b);
      assert.deepEqual(compare(b, a), comparison);
      assert.ok(Number.isInteger(comparison.score) && comparison.score >= 0 && comparison.score <= 100);
    }),
    { numRuns: 3000 },
  );
});

test('an ordinary name equals itself in any word order and case, with any accents and title', () => {
  const titles = fc.constantFrom('Mr', 'MRS.', 'Alhaji', 'Chief (Dr.)', 'Engr', 'Princess');
  const withOrder = words.chain((list) =>
    fc.record({ list: fc.constant(list), shuffled: fc.shuffledSubarray(list, { minLength: list.length }) }),
  );
  fc.assert(
    fc.property(withOrder, titles, ({ list, shuffled }, title) => {
      const name = list.join(' ');
      const accented = shuffled.join('  ').replace(/[aeo]/g, (vowel) => `${vowel}\u0301`);
      for (const other of [name, name.toUpperCase(), shuffled.join(' '), accented, `${title} ${name}`]) {
        assert.deepEqual(compare(name, other), { score: 100, verdict: 'strong' }, other);
      }
    }),
  );
});

test('word order and titles do not change the result of a comparison', () => {
  const two = fc.tuple(words, words);
  fc.assert(
    fc.property(two, ([a, b]) => {
      const expected = compare(a.join(' '), b.join(' '));
      assert.deepEqual(compare(a.toReversed().join(' '), b.join(' ')), expected);
      assert.deepEqual(compare(`Mr. ${a.join(' ')}`, b.join(' ').toLowerCase()), expected);
    }),
  );
});

test('threat 14: a name with a hidden or foreign letter at any position is never a strong match', () => {
  const planted = fc.constantFrom('\u200b', '\u202e', '\u2066', '\u00ad', '\u0430', '\u039f', '\uff41');
  fc.assert(
    fc.property(words, planted, fc.nat(), (list, character, at) => {
      const name = list.join(' ');
      const position = at % (name.length + 1);
      const altered = name.slice(0, position) + character + name.slice(position);
      assert.equal(compare(name, altered).verdict, 'suspicious');
      assert.equal(compare(altered, altered).verdict, 'suspicious');
    }),
  );
});
