// Headers that a source wants with every question. A key is never in the file: the file names the environment variable it is in.
import { type Problems, under } from './problems.ts';

/** The value of an environment variable; undefined: it is not set, or blank. */
export type Variables = (name: string) => string | undefined;

const HEADER_NAME = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/i;
const HEADER_VALUE = /^[\x20-\x7e]{1,2000}$/;
const VARIABLE_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;
/** They belong to the connection, or the answer could not be read with another value. */
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

export function headersIn(
  value: unknown,
  path: string,
  variables: Variables,
  problems: Problems,
): () => Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  if (value === undefined) return () => headers;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.add(path, 'must be an object such as {"x-api-key": {"env": "RATES_KEY"}}');
    return () => headers;
  }
  for (const [name, given] of Object.entries(value)) {
    const key = name.toLowerCase();
    if (!HEADER_NAME.test(name))
      problems.add(path, 'has a header whose name is not letters, digits and hyphens');
    else if (OWN.has(key)) problems.add(under(path, name), 'must be left out: the service sets it');
    else if (headers[key] !== undefined)
      problems.add(under(path, name), 'is there twice: remove one of the two');
    else {
      const text = valueIn(given, name, under(path, name), variables, problems);
      if (text !== undefined) headers[key] = text;
    }
  }
  return () => headers;
}

function valueIn(
  given: unknown,
  name: string,
  path: string,
  variables: Variables,
  problems: Problems,
): string | undefined {
  if (typeof given === 'string') {
    if (SECRET.test(name))
      problems.add(path, 'looks like a key: name the environment variable it is in, as {"env": "NAME"}');
    else if (HEADER_VALUE.test(given)) return given;
    else problems.add(path, 'must be a text of letters, digits and signs of ASCII');
    return undefined;
  }
  const fields = problems.object(given, path, ['env']);
  if (fields === undefined) return undefined;
  const variable = problems.text(fields, path, 'env', {
    pattern: VARIABLE_NAME,
    what: 'the name of an environment variable in capital letters, such as "RATES_KEY"',
  });
  if (variable === '') return undefined;
  const text = variables(variable)?.trim();
  if (text === undefined || text === '') problems.add(`${path}.env`, `names ${variable}, which is not set`);
  else if (HEADER_VALUE.test(text)) return text;
  else problems.add(`${path}.env`, `names ${variable}, whose value cannot be sent in a header`);
  return undefined;
}
