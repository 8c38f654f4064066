// A settings file, read whole and strictly: it is text in UTF-8, and JSON without a repeated field. No message holds a piece of the
// text, as the messages of JSON.parse do.
import { readFileSync } from 'node:fs';
import { findRepeatedName } from '../json.ts';
import { Problems, SettingsError } from './problems.ts';

/** The value of an environment variable; undefined: it is not set. */
export type Variables = (name: string) => string | undefined;

/** `file` begins the message: "The banks file /etc/banks.json". Throws a SettingsError. */
export function textOfFile(file: string, location: string | URL): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(location));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = error instanceof TypeError ? 'It is not text in UTF-8.' : `It cannot be read (${code}).`;
    throw new SettingsError(file, [what]);
  }
}

/** Throws a SettingsError with all mistakes that `read` noted. It may answer undefined where it noted one. */
export function parseSettings<Settings>(
  file: string,
  text: string,
  read: (json: unknown, at: Problems) => Settings | undefined,
  problems = new Problems(),
): Settings {
  const json = parseJson(text, problems.found);
  const settings = problems.found.length === 0 ? read(json, problems) : undefined;
  if (problems.found.length > 0) throw new SettingsError(file, problems.found);
  return settings as Settings;
}

function parseJson(text: string, found: string[]): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const at = findRepeatedName(text);
    if (at === undefined) return value;
    const line = text.slice(0, at).split('\n').length;
    found.push(`The field on line ${line} is a repetition. Remove one of the two.`);
  } catch (error) {
    const at = /\(line \d+ column \d+\)/.exec((error as Error).message)?.[0];
    found.push(`The file is not valid JSON${at === undefined ? '' : ` ${at}`}.`);
  }
  return undefined;
}
