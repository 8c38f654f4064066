// Reads the options of one rail. A kind asks for its options one by one; mistakes are noted, and what was not asked for is refused
// at the end. Keys and passwords are never in the file: it names a file that only its owner can read, or an environment variable.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Fields, type Problems, type TextRule, under } from './problems.ts';

/** The value of an environment variable; undefined: it is not set. */
export type Variables = (name: string) => string | undefined;

/** A function, so that printed settings do not show it. */
export type Secret = () => string;

export interface OptionReader {
  text(name: string, rule: TextRule): string;
  /** Null: it is left out. */
  optionalText(name: string, rule: TextRule): string | null;
  whole(name: string, bounds: readonly [min: number, max: number], fallback: number): number;
  /** The address that paths are added to, without a slash at its end. */
  url(name: string): string;
  /** Null: it is left out. */
  optionalUrl(name: string): string | null;
  /** From `NAME_file` or `NAME_env`, one of which is required. */
  secret(name: string): Secret;
  /** Null: both are left out. */
  optionalSecret(name: string): Secret | null;
  problem(name: string, what: string): void;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const VARIABLE_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;
const SECRET_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]{0,1998}[\x21-\x7e])?$/;

export interface OptionSource {
  readonly fields: Fields;
  readonly path: string;
  /** Where BANKS_FILE is: paths in it are relative to that folder. */
  readonly folder: string;
  readonly variables: Variables;
}

/** `finish` refuses what was not asked for; it is called once the kind has read everything. */
export function optionReader(
  source: OptionSource,
  problems: Problems,
): OptionReader & { readonly finish: () => void } {
  const { fields, path: where } = source;
  const known = new Set<string>();
  const given = (name: string) => {
    known.add(name);
    return fields[name];
  };
  const reader: OptionReader = {
    text: (name, rule) => {
      known.add(name);
      return problems.text(fields, where, name, rule);
    },
    optionalText: (name, rule) =>
      given(name) === undefined ? null : problems.text(fields, where, name, rule),
    whole: (name, [min, max], fallback) => {
      const value = given(name) ?? fallback;
      if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)
        return value as number;
      problems.add(under(where, name), `must be a whole number from ${min} to ${max}, without quotes`);
      return fallback;
    },
    optionalUrl: (name) => (given(name) === undefined ? null : reader.url(name)),
    url: (name) => urlIn(reader.text(name, ANY_TEXT), under(where, name), problems),
    secret: (name) => {
      const secret = reader.optionalSecret(name);
      if (secret === null)
        problems.add(
          under(where, `${name}_file`),
          `is missing: name a file that only its owner can read, or "${name}_env" with the environment variable it is in`,
        );
      return secret ?? (() => '');
    },
    optionalSecret: (name) => {
      const [file, variable] = [given(`${name}_file`), given(`${name}_env`)];
      if (fields[name] !== undefined) {
        known.add(name);
        problems.add(under(where, name), `must not be in this file: name a file with it in "${name}_file"`);
      }
      if (file === undefined && variable === undefined) return null;
      if (file !== undefined && variable !== undefined)
        problems.add(under(where, `${name}_env`), `must be left out where "${name}_file" is given`);
      const text =
        file === undefined
          ? fromVariable(variable, name, source, problems)
          : fromFile(file, name, source, problems);
      return () => text;
    },
    problem: (name, what) => problems.add(under(where, name), what),
  };
  return { ...reader, finish: () => problems.refuseUnknown(fields, where, [...known]) };
}

const ANY_TEXT: TextRule = { pattern: /./, what: 'a text' };

function urlIn(text: string, where: string, problems: Problems): string {
  if (text === '') return '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (url === undefined || !isSafe)
    problems.add(where, 'must be an https:// URL (http:// only on this machine)');
  else if (url.username !== '' || url.password !== '')
    problems.add(where, 'must not hold a user name or a password');
  else if (url.search !== '' || url.hash !== '') problems.add(where, 'must end with its path: no ? and no #');
  return text.replace(/\/+$/, '');
}

function fromVariable(
  value: unknown,
  name: string,
  { path: where, variables }: OptionSource,
  problems: Problems,
): string {
  const at = under(where, `${name}_env`);
  if (typeof value !== 'string' || !VARIABLE_NAME.test(value)) {
    problems.add(
      at,
      'must be the name of an environment variable in capital letters, such as "BANK_PASSWORD"',
    );
    return '';
  }
  const text = variables(value)?.trim() ?? '';
  if (text === '') problems.add(at, `names ${value}, which is not set`);
  else if (!SECRET_TEXT.test(text)) problems.add(at, `names ${value}, whose value is not one line of ASCII`);
  return text;
}

function fromFile(
  value: unknown,
  name: string,
  { path: where, folder }: OptionSource,
  problems: Problems,
): string {
  const at = under(where, `${name}_file`);
  if (typeof value !== 'string' || value.trim() === '') {
    problems.add(at, 'must be the path of a file');
    return '';
  }
  const file = path.resolve(folder, value);
  try {
    const { mode } = statSync(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      problems.add(at, `names a file that others can read. Close it with: chmod 600 ${file}`);
    const text = readFileSync(file, 'utf8').trim();
    if (!SECRET_TEXT.test(text)) problems.add(at, `names ${file}, which must hold one line of ASCII`);
    return text;
  } catch (error) {
    problems.add(at, `names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code})`);
    return '';
  }
}
