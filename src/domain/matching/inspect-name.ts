// Inspects people's names as received. It returns one spelling for display, and flags characters that can make a name look like
// another name. A flagged name is stored and shown, but never matched automatically.
export type NameFlag = 'mixed_script' | 'non_latin' | 'invisible_characters' | 'compatibility_characters';

interface InspectedName {
  readonly display: string;
  readonly flags: readonly NameFlag[];
}

const LATIN = /\p{Script=Latin}/u;
// Script extensions count tone marks, dots below and apostrophe letters as part of their letters.
const OTHER_SCRIPT = /[[\p{L}\p{M}\p{N}]--[\p{scx=Latin}\p{scx=Common}\p{scx=Inherited}]]/v;
// Invisible characters: zero-width characters, direction controls, soft hyphens, variation selectors, fillers, and control,
// private and unassigned characters. The empty Braille pattern is included, because it shows nothing.
const INVISIBLE_CHARACTER = /[[\p{C}\p{Default_Ignorable_Code_Point}\u{2800}]--\p{White_Space}]/gv;
const LETTER_OR_DIGIT = /[\p{Alphabetic}\p{N}]/gu;

/** Most names are plain ASCII. Such a name gets no flag, and only its spaces are normalised. */
const PLAIN_ASCII = /^[\x20-\x7e]*$/;

export function inspectName(text: string): InspectedName {
  if (PLAIN_ASCII.test(text)) return { display: text.replace(/ +/g, ' ').trim(), flags: [] };
  const visible = text.replace(INVISIBLE_CHARACTER, '');
  const flags: NameFlag[] = [];
  if (OTHER_SCRIPT.test(visible)) flags.push(LATIN.test(visible) ? 'mixed_script' : 'non_latin');
  if (visible !== text) flags.push('invisible_characters');
  if (hasCompatibilityLetters(visible)) flags.push('compatibility_characters');
  const display = visible
    .replace(/\p{White_Space}+/gu, ' ')
    .trim()
    .normalize('NFC');
  return { display, flags };
}

function hasCompatibilityLetters(text: string): boolean {
  for (const [character] of text.matchAll(LETTER_OR_DIGIT)) {
    if (character.normalize('NFKC') !== character.normalize('NFC')) return true;
  }
  return false;
}
