// Mistakes in BANKS_FILE. All of them are collected, each with the path of its field; a value is never repeated, because it may
// be a key.
import { nearest } from '../../../domain/values/nearest.ts';

/** The messages are for the operator. */
export class BankSettingsError extends Error {
  override readonly name = 'BankSettingsError';
  /** One sentence each. */
  readonly problems: readonly string[];

  constructor(file: string, problems: readonly string[]) {
    super(problems.map((problem) => `The banks file ${file}: ${problem}`).join('\n'));
    this.problems = problems;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

export interface TextRule {
  readonly pattern: RegExp;
  /** Ends the sentence "must be …". */
  readonly what: string;
}

const SHOWABLE = /^\w{1,40}$/;

/** The path of the outermost object. */
export const WHOLE_FILE = 'The whole file';

export class Problems {
  readonly found: string[] = [];

  add(path: string, what: string): void {
    this.found.push(`${path} ${what}.`);
  }

  /** Undefined, with the mistake noted, when it is no object. */
  object(value: unknown, path: string): Fields | undefined {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
    this.add(path, 'must be an object { … }');
    return undefined;
  }

  /** A limit or a key with a mistyped name would have no effect, and nothing would show it. */
  refuseUnknown(fields: Fields, path: string, known: readonly string[]): void {
    for (const name of Object.keys(fields)) {
      if (known.includes(name)) continue;
      const shown = SHOWABLE.test(name) ? under(path, name) : `A field of ${path} whose name cannot be shown`;
      this.add(shown, `is not a known field.${hint(name, known)} Known fields: ${known.join(', ')}`);
    }
  }

  text(fields: Fields, path: string, name: string, { pattern, what }: TextRule): string {
    const value = fields[name];
    if (typeof value === 'string' && pattern.test(value)) return value;
    this.add(under(path, name), value === undefined ? `is missing: it must be ${what}` : `must be ${what}`);
    return '';
  }

  oneOf<Word extends string>(fields: Fields, path: string, name: string, words: readonly Word[]): Word {
    const value = fields[name];
    const word = words.find((each) => each === value);
    if (word !== undefined) return word;
    const list = words.map((each) => `"${each}"`).join(', ');
    const what = value === undefined ? 'is missing: it must be' : 'must be';
    this.add(under(path, name), `${what} one of ${list}.${hint(value, words)}`.replace(/\.$/, ''));
    return words[0]!;
  }
}

export function hint(value: unknown, known: readonly string[]): string {
  const meant = typeof value === 'string' ? nearest(value, known) : undefined;
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}

export function under(path: string, name: string): string {
  return path === WHOLE_FILE ? name : `${path}.${name}`;
}
