// Reads the keys and passwords of rails. BANKS_FILE never contains them. It contains the path of a file that only its owner can
// read, or the name of an environment variable.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type TOptional, type TString, Type } from 'typebox';
import { Check } from 'typebox/schema';
import type { SettingsProblems } from '../../settings-problems.ts';
import { textSchema, type Variables } from '../../settings-reader.ts';

/** A secret is a function, so that printed settings do not show it. */
export type Secret = () => string;

export type SecretNames = Readonly<Record<string, 'required' | 'optional'>>;
export type Secrets<Names extends SecretNames> = {
  readonly [name in keyof Names]: Names[name] extends 'required' ? Secret : Secret | null;
};

export interface SecretSource {
  /** The folder of BANKS_FILE. Paths in the file are relative to this folder. */
  readonly folder: string;
  readonly variables: Variables;
}

const SECRET_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]{0,1998}[\x21-\x7e])?$/;
const FILE = textSchema(/\S/, 'the path of a file');
const VARIABLE = textSchema(
  /^[A-Z][A-Z0-9_]{0,63}$/,
  'the name of an environment variable in capital letters, such as "BANK_PASSWORD"',
);

export function secretFields(names: SecretNames): Record<string, TOptional<TString>> {
  const fields = Object.keys(names).flatMap((name) => [
    [`${name}_file`, Type.Optional(FILE)] as const,
    [`${name}_env`, Type.Optional(VARIABLE)] as const,
  ]);
  return Object.fromEntries(fields);
}

/** `options` are the options of a rail. Their secret fields may be invalid here, because the schema reports that. */
export function readSecrets<Names extends SecretNames>(
  names: Names,
  options: Readonly<Record<string, unknown>>,
  source: SecretSource,
  at: SettingsProblems,
): Secrets<Names> {
  const read = Object.entries(names).map(([name, need]) => {
    const [file, variable] = [options[`${name}_file`], options[`${name}_env`]];
    if (options[name] !== undefined)
      at.at(name).add(`must not be in this file: put it in another file, named in "${name}_file"`);
    if (file !== undefined && variable !== undefined)
      at.at(`${name}_env`).add(`must be left out where "${name}_file" is given`);
    if (file === undefined && variable === undefined) {
      const what = `is missing: name a file that only its owner can read, or name an environment variable in "${name}_env"`;
      if (need === 'required') at.at(`${name}_file`).add(what);
      return [name, null] as const;
    }
    const value =
      file === undefined
        ? fromVariable(variable, source, at.at(`${name}_env`))
        : fromFile(file, source, at.at(`${name}_file`));
    return [name, () => value] as const;
  });
  return Object.fromEntries(read) as Secrets<Names>;
}

function fromVariable(name: unknown, { variables }: SecretSource, at: SettingsProblems): string {
  if (!Check(VARIABLE, name)) return '';
  const value = variables(name)?.trim() ?? '';
  if (value === '') at.add(`names ${name}, which is not set`);
  else if (!SECRET_TEXT.test(value)) at.add(`names ${name}, whose value is not one line of ASCII`);
  return value;
}

function fromFile(name: unknown, { folder }: SecretSource, at: SettingsProblems): string {
  if (!Check(FILE, name)) return '';
  const file = path.resolve(folder, name);
  try {
    const { mode } = statSync(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      at.add(`names a file that others can read. Close it with: chmod 600 ${file}`);
    const value = readFileSync(file, 'utf8').trim();
    if (!SECRET_TEXT.test(value)) at.add(`names ${file}, which must contain one line of ASCII text`);
    return value;
  } catch (error) {
    at.add(`names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code})`);
    return '';
  }
}
