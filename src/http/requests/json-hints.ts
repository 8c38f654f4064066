// Describes a JSON mistake for the person who made it: the line, the column, and the usual cause if the text shows one. This
// code runs only after the reader has refused a text, so it may read the whole text.

export interface JsonMistake {
  readonly text: string;
  readonly at: number;
  readonly expected: 'value' | 'key' | 'string' | 'separator' | 'end';
}

/** For example: `invalid JSON at line 1, column 361 (trailing comma?)` */
export function describeMistake(mistake: JsonMistake): string {
  const hint = hintFor(mistake);
  return hint === undefined
    ? `invalid JSON ${positionOf(mistake)}`
    : `invalid JSON ${positionOf(mistake)} (${hint})`;
}

export function positionOf({ text, at }: Pick<JsonMistake, 'text' | 'at'>): string {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n');
  return `at line ${line}, column ${column}`;
}

function hintFor({ text, at, expected }: JsonMistake): string | undefined {
  if (at >= text.length) return 'the body ends too early';
  const found = text[at]!;
  const before = text.slice(0, at).trimEnd().at(-1);
  if (found === '\ufeff') return 'byte order mark: send UTF-8 without it';
  if (expected === 'string') return hintInString(found);
  if (expected === 'end') return 'text after the end of the JSON?';
  if ((found === '}' || found === ']') && before === ',') return 'trailing comma?';
  if (found === "'" || /[\u2018-\u201f]/.test(found)) return 'use straight double quotes (")';
  if (text.startsWith('//', at) || text.startsWith('/*', at)) return 'comments are not allowed';
  if (expected === 'key') return hintForKey(found);
  if (expected === 'separator') return hintForSeparator(found, before);
  return hintForValue(text.slice(at, at + MAX_WORD));
}

const MAX_WORD = 10;

function hintForValue(rest: string): string | undefined {
  if (/^(true|false|null|none|nan|undefined|infinity)/i.test(rest)) return 'write true, false or null';
  return /^[A-Za-z_]/.test(rest) ? 'text without double quotes?' : undefined;
}

function hintInString(found: string): string {
  if (found === '\n' || found === '\r') return 'unescaped line break in a string: write \\n';
  if (found === '\t') return 'unescaped tab in a string: write \\t';
  if (found < ' ') return `unescaped control character in a string: write \\u${hexOf(found)}`;
  return 'unknown escape in a string: write \\\\ for a backslash';
}

function hintForKey(found: string): string | undefined {
  if (/[A-Za-z_$]/.test(found)) return 'key without double quotes?';
  return /[0-9]/.test(found) ? 'comma inside a number? Write 15000, not 15,000' : undefined;
}

function hintForSeparator(found: string, before: string | undefined): string | undefined {
  if (/[0-9]/.test(found) && before === '0') return 'a number must not start with 0';
  return found === '"' || found === '{' || found === '[' ? 'missing comma or colon?' : undefined;
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}
