// Nigerian names get no flag in any spelling. Names with look-alike or hidden characters get a flag.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inspectName, type NameFlag } from './inspect-name.ts';

test('threat 14: names with Yoruba, Igbo and Hausa letters get no flag, in composed or decomposed form', () => {
  const names = [
    'Adébáyọ̀ Ọláṣẹ́hìndé',
    'Ṣadé Ẹ̀niọlá Ògúnbọ̀wálé',
    'Chịnụa Ṅwankwọ',
    'Ƙasimu Ɓala Ɗanladi',
    'ʼYar’adua Sa\u02bcidu Ƴan',
    "Mary-Jane O'Connor-Ẹkwueme Jr.",
    'E̩niọlá',
    'Núñez Müller Łukasz Ðorđe ǝ ɔ ɛ ŋ',
    'ADE 2 & SONS (NIG.) LTD.',
  ];
  for (const name of names) {
    for (const form of ['NFC', 'NFD'] as const) {
      assert.deepEqual(
        inspectName(name.normalize(form)),
        { display: name.normalize('NFC'), flags: [] },
        name,
      );
    }
  }
});

test('threat 14: look-alike and hidden characters are flagged', () => {
  const cases: readonly (readonly [string, string, readonly NameFlag[]])[] = [
    ['Аdе Musa', 'Аdе Musa', ['mixed_script']],
    ['Οbi', 'Οbi', ['mixed_script']],
    ['Musa٣', 'Musa٣', ['mixed_script']],
    ['Ade\u0651 Musa', 'Ade\u0651 Musa', ['mixed_script']],
    ['Иван', 'Иван', ['non_latin']],
    ['محمد', 'محمد', ['non_latin']],
    ['王 明', '王 明', ['non_latin']],
    ['Ade\u200b Musa', 'Ade Musa', ['invisible_characters']],
    ['\u202easuM\u202c', 'asuM', ['invisible_characters']],
    ['\ufeffAde', 'Ade', ['invisible_characters']],
    ['A\u00adde', 'Ade', ['invisible_characters']],
    ['Ade\ufe0f', 'Ade', ['invisible_characters']],
    ['Ade\u{e0061}', 'Ade', ['invisible_characters']],
    ['Ade\u3164\u2800', 'Ade', ['invisible_characters']],
    ['Ade\u0007\ud800', 'Ade', ['invisible_characters']],
    ['Ａｄｅ', 'Ａｄｅ', ['compatibility_characters']],
    ['𝐀𝐝𝐞', '𝐀𝐝𝐞', ['compatibility_characters']],
    ['Ⓐde', 'Ⓐde', ['compatibility_characters']],
    ['ﬁde', 'ﬁde', ['compatibility_characters']],
    ['Ade²', 'Ade²', ['compatibility_characters']],
    ['Аd\u200dｅ', 'Аdｅ', ['mixed_script', 'invisible_characters', 'compatibility_characters']],
  ];
  for (const [text, display, flags] of cases) assert.deepEqual(inspectName(text), { display, flags }, text);
});

test('whitespace of any kind is normalised and causes no flag', () => {
  const name = inspectName('\t Ade\u00a0\u2003 \r\nMusa\u0085\u3000');
  assert.deepEqual(name, { display: 'Ade Musa', flags: [] });
  assert.deepEqual(inspectName(' \n'), { display: '', flags: [] });
});

test('the display form does not change when it is normalised again, and contains no hidden character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { display } = inspectName(text);
      const again = inspectName(display);
      assert.equal(again.display, display);
      assert.ok(!again.flags.includes('invisible_characters'));
      assert.ok(display.isWellFormed());
    }),
    { numRuns: 1000 },
  );
});

test('an inserted invisible character changes the flags but not the displayed name', () => {
  const hidden = fc.constantFrom(
    '\u200b',
    '\u200d',
    '\u2060',
    '\u202e',
    '\u2066',
    '\u00ad',
    '\ufeff',
    '\u034f',
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{2,12}$/), hidden, fc.nat(), (name, character, at) => {
      const position = at % (name.length + 1);
      const result = inspectName(name.slice(0, position) + character + name.slice(position));
      assert.deepEqual(result, { display: name, flags: ['invisible_characters'] });
    }),
  );
});
