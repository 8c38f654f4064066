// Reads the headers that a rate source needs with every request. RATES_FILE never contains a key. It contains the name of the
// environment variable with the key.
import { isObject } from '../../json.ts';
import type { SettingsProblems } from '../../settings-problems.ts';
import { objectSchema, readBySchema, textSchema, type Variables } from '../../settings-reader.ts';

const HEADER_NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/i;
const HEADER_VALUE = /^[\x20-\x7e]{1,2000}$/;
/**
 * Headers that the settings may not change. They belong to the connection, or another value would make the response unreadable.
 */
const OWN = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
]).add('accept-encoding');
const SECRET = /key|token|secret|auth|cookie|pass|sign/i;

const FROM_VARIABLE = objectSchema({
  env: textSchema(
    /^[A-Z][A-Z0-9_]{0,63}$/,
    'the name of an environment variable in capital letters, such as "RATES_KEY"',
  ),
});

/** Returns a function, so that printed settings do not show a key. */
export function headersIn(
  value: unknown,
  variables: Variables,
  at: SettingsProblems,
): () => Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  if (value !== undefined && !isObject(value))
    at.add('must be an object such as {"x-api-key": {"env": "RATES_KEY"}}');
  for (const [name, given] of Object.entries(isObject(value) ? value : {})) {
    const key = name.toLowerCase();
    if (!HEADER_NAME.test(name)) at.add('has a header whose name is not letters, digits and hyphens');
    else if (OWN.has(key)) at.at(name).add('must be left out: the service sets it');
    else if (headers[key] !== undefined) at.at(name).add('appears twice: remove one of the two');
    else {
      const found =
        typeof given === 'string'
          ? textIn(given, name, at.at(name))
          : variableIn(given, variables, at.at(name));
      if (found !== undefined) headers[key] = found;
    }
  }
  return () => headers;
}

function textIn(given: string, name: string, at: SettingsProblems): string | undefined {
  if (SECRET.test(name))
    at.add('looks like a key: name the environment variable it is in, as {"env": "NAME"}');
  else if (HEADER_VALUE.test(given)) return given;
  else at.add('must be a text of ASCII letters, digits and signs');
  return undefined;
}

function variableIn(given: unknown, variables: Variables, at: SettingsProblems): string | undefined {
  const variable = readBySchema(FROM_VARIABLE, given, at)?.env;
  if (variable === undefined) return undefined;
  const value = variables(variable)?.trim() ?? '';
  if (value === '') at.at('env').add(`names ${variable}, which is not set`);
  else if (HEADER_VALUE.test(value)) return value;
  else at.at('env').add(`names ${variable}, whose value cannot be sent in a header`);
  return undefined;
}
