// People's names as received: one spelling for display, and flags for characters that could make a name look like another. A
// flagged name is stored and shown, but never matched automatically.
export type NameFlag = 'mixed_script' | 'non_latin' | 'invisible_characters' | 'compatibility_characters';

interface InspectedName {
  readonly display: string;
  readonly flags: readonly NameFlag[];
}

const LATIN = /\p{Script=Latin}/u;
// Uses script extensions, so that tone marks, dots below and apostrophe letters count as part of their letters.
const OTHER_SCRIPT = /[[\p{L}\p{M}\p{N}]--[\p{scx=Latin}\p{scx=Common}\p{scx=Inherited}]]/v;
// Zero-width characters, direction controls, soft hyphen, variation selectors, fillers, control, private and unassigned
// characters. The empty Braille pattern is a symbol that shows nothing.
const INVISIBLE_CHARACTER = /[[\p{C}\p{Default_Ignorable_Code_Point}\u{2800}]--\p{White_Space}]/gv;
const LETTER_OR_DIGIT = /[\p{Alphabetic}\p{N}]/gu;

/** Most names are plain ASCII: there is nothing to flag, and only spaces to normalise. */
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

/** Full-width, mathematical, circled and similar characters, which are variants of a letter or digit. */
function hasCompatibilityLetters(text: string): boolean {
  for (const [character] of text.matchAll(LETTER_OR_DIGIT)) {
    if (character.normalize('NFKC') !== character.normalize('NFC')) return true;
  }
  return false;
}
