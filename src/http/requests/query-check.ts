// Checks the query against the documented parameters of its route. An unknown parameter is refused, and the message suggests
// the most likely name. If the service ignored a misspelt filter, the response would contain all records. The use-case checks
// the values later.
import { findNearestWord } from '../../domain/values/nearest-word.ts';
import { type FieldError, fieldRefusal, type Refusal } from '../../domain/values/refusals.ts';
import { RefusalError } from './body-parser.ts';
import { isSecretName, maskKeysAndAccounts } from './masking.ts';

interface ParameterSchema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly ParameterSchema[];
}

export interface QuerySchema {
  readonly properties: Readonly<Record<string, ParameterSchema>>;
}

export type QueryCheck = (query: unknown) => Refusal | undefined;

const MAX_ERRORS = 10;
const MAX_SHOWN = 40;

export function compileQueryCheck({ properties }: QuerySchema): QueryCheck {
  const known = Object.keys(properties);
  const repeatable = new Set(known.filter((name) => isRepeatable(properties[name]!)));
  return (query) => {
    const errors: FieldError[] = [];
    for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
      if (name === '' && value === '') continue; // caused by "?&"
      const message = Object.hasOwn(properties, name)
        ? Array.isArray(value) && !repeatable.has(name) && `${name} appears more than once. Send it once.`
        : unknownParameterMessage(name, known);
      if (message !== false) errors.push({ field: shownName(name), code: 'filter_invalid', message });
      if (errors.length === MAX_ERRORS) break;
    }
    const [first, ...rest] = errors;
    return first && fieldRefusal([first, ...rest]);
  };
}

/** The framework applies this check to every route with a documented query. */
export function validateQuery(schema: QuerySchema): (query: unknown) => true | { error: RefusalError } {
  const check = compileQueryCheck(schema);
  return (query) => {
    const refused = check(query);
    return refused === undefined ? true : { error: new RefusalError(refused) };
  };
}

function isRepeatable({ type, anyOf = [] }: ParameterSchema): boolean {
  return [type].flat().includes('array') || anyOf.some(isRepeatable);
}

function unknownParameterMessage(name: string, known: readonly string[]): string {
  if (isSecretName(name) || maskKeysAndAccounts(name) !== name) return KEY_IN_QUERY;
  const given = name.slice(0, MAX_SHOWN).toLowerCase();
  // "ref" is too short to count as a misspelt "reference". It still means "reference" if no other parameter starts with "ref".
  const begun = given.length > 1 ? known.filter((each) => each.startsWith(given)) : [];
  const meant = findNearestWord(given, known) ?? (begun.length === 1 ? begun[0] : undefined);
  const wayOut = meant === undefined ? `Use ${known.join(', ')}.` : `Did you mean ${meant}?`;
  return `There is no query parameter ${shownName(name)} here. ${wayOut}`;
}

const KEY_IN_QUERY =
  'A key in the query string is ignored, and URLs end up in logs along the way. Send the key in its header, and replace a key that was sent here.';

/** The name of a parameter can be any text, so characters that are not printable are replaced and a long name is cut. */
function shownName(name: string): string {
  const plain = maskKeysAndAccounts(name).toWellFormed().replaceAll(/\p{C}/gu, '\ufffd');
  return plain.length > MAX_SHOWN ? `${plain.slice(0, MAX_SHOWN)}…` : plain;
}
