// A strict JSON reader for request bodies. It keeps the source text of top-level numbers, because amounts are read from the
// text and never from a rounded double. Unlike JSON.parse, it also refuses duplicate keys, `__proto__` and deep nesting.
import { describeMistake, type JsonMistake, positionOf } from './json-hints.ts';

export class JsonError extends Error {
  override readonly name = 'JsonError';
}

export interface JsonDocument {
  readonly value: unknown;
  /** The source texts of numbers that are direct members of the top-level object. */
  readonly numberTexts: ReadonlyMap<string, string>;
}

const MAX_DEPTH = 32;
const STRING_RUN = /[^"\\\u0000-\u001f]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

export function readJson(text: string): JsonDocument {
  const reader = new JsonReader(text);
  return { value: reader.document(), numberTexts: reader.numberTexts };
}

class JsonReader {
  readonly numberTexts = new Map<string, string>();
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): unknown {
    const value = this.value(0);
    this.space();
    if (this.at < this.text.length) throw this.mistake('end');
    return value;
  }

  private value(depth: number): unknown {
    this.space();
    switch (this.text.charCodeAt(this.at)) {
      case 0x22:
        return this.string('value');
      case 0x7b:
        return this.object(depth + 1);
      case 0x5b:
        return this.array(depth + 1);
      case 0x74:
        return this.word('true', true);
      case 0x66:
        return this.word('false', false);
      case 0x6e:
        return this.word('null', null);
      default:
        return Number(this.numberText());
    }
  }

  private object(depth: number): Record<string, unknown> {
    this.enter(depth);
    const object: Record<string, unknown> = {};
    if (this.closes(0x7d)) return object;
    for (;;) {
      this.space();
      const keyAt = this.at;
      const key = this.string('key');
      if (key === '__proto__') throw this.refused(keyAt, 'the key "__proto__" is not allowed');
      if (Object.hasOwn(object, key)) throw this.refused(keyAt, `duplicate key ${shortenKey(key)}`);
      this.expect(0x3a);
      this.space();
      const start = this.at;
      const value = this.value(depth);
      if (depth === 1 && typeof value === 'number') {
        this.numberTexts.set(key, this.text.slice(start, this.at));
      }
      object[key] = value;
      if (!this.more(0x7d)) return object;
    }
  }

  private array(depth: number): unknown[] {
    this.enter(depth);
    const array: unknown[] = [];
    if (this.closes(0x5d)) return array;
    for (;;) {
      array.push(this.value(depth));
      if (!this.more(0x5d)) return array;
    }
  }

  private string(as: 'key' | 'value'): string {
    if (this.text.charCodeAt(this.at) !== 0x22) throw this.mistake(as);
    this.at++;
    let result = '';
    for (;;) {
      STRING_RUN.lastIndex = this.at;
      STRING_RUN.test(this.text);
      const end = STRING_RUN.lastIndex;
      const run = this.text.slice(this.at, end);
      this.at = end;
      const code = this.text.charCodeAt(end);
      if (code === 0x22) {
        this.at++;
        return result === '' ? run : result + run;
      }
      if (code !== 0x5c) throw this.mistake('string');
      result += run + this.escape();
    }
  }

  private escape(): string {
    const letter = this.text[this.at + 1] ?? '';
    if (letter === 'u') {
      const hex = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw this.mistake('string');
      this.at += 6;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    if (!Object.hasOwn(ESCAPES, letter)) throw this.mistake('string');
    this.at += 2;
    return ESCAPES[letter]!;
  }

  private numberText(): string {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (match === null) throw this.mistake('value');
    this.at = NUMBER.lastIndex;
    return match[0];
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw this.mistake('value');
    this.at += word.length;
    return value;
  }

  private enter(depth: number): void {
    if (depth > MAX_DEPTH) throw this.refused(this.at, `nested deeper than ${MAX_DEPTH} levels`);
    this.at++;
  }

  private closes(code: number): boolean {
    this.space();
    if (this.text.charCodeAt(this.at) !== code) return false;
    this.at++;
    return true;
  }

  /** Called after a member of an object or array. The result is true if a comma shows that another member follows. */
  private more(close: number): boolean {
    if (this.closes(close)) return false;
    this.expect(0x2c);
    return true;
  }

  private expect(code: number): void {
    this.space();
    if (this.text.charCodeAt(this.at) !== code) throw this.mistake('separator');
    this.at++;
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  private mistake(expected: JsonMistake['expected']): JsonError {
    return new JsonError(describeMistake({ text: this.text, at: this.at, expected }));
  }

  /** Makes the error for JSON that is valid for other readers but that this reader refuses. */
  private refused(at: number, why: string): JsonError {
    return new JsonError(`invalid JSON ${positionOf({ text: this.text, at })} (${why})`);
  }
}

const MAX_SHOWN_KEY = 40;

function shortenKey(key: string): string {
  return JSON.stringify(key.length <= MAX_SHOWN_KEY ? key : `${key.slice(0, MAX_SHOWN_KEY)}…`);
}
