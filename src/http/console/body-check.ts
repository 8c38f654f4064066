// Checks the body of a console request against its schema. First every field must be present and have the right JSON type
// (400), then every value must be valid (422). The message of the refusal is the description of the field.
import type { TObject, TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { type FieldError, fieldRefusal, refusal } from '../../domain/values/refusals.ts';
import { RefusalError } from '../requests/body-parser.ts';

/** Undefined if the body matches the schema. `null` counts as absent for an optional field. */
export function findBodyMistake(schema: TObject, body: unknown): RefusalError | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return new RefusalError(refusal('invalid_body', 'The body must be a JSON object: { … }.'));
  const given = body as Record<string, unknown>;
  const required = new Set<string>(schema.required as readonly string[] | undefined);
  const mistakes: FieldError[] = [];
  for (const [field, property] of Object.entries<TSchema>(schema.properties)) {
    const value = Object.hasOwn(given, field) ? given[field] : undefined;
    if (value === null && !required.has(field)) delete given[field];
    const mistake = findFieldMistake(field, property, value, required.has(field));
    if (mistake !== undefined) mistakes.push(mistake);
  }
  const [first, ...rest] = mistakes;
  return first && new RefusalError(fieldRefusal([first, ...rest]));
}

function findFieldMistake(
  field: string,
  schema: TSchema,
  value: unknown,
  isRequired: boolean,
): FieldError | undefined {
  if (value === undefined || (value === null && !isRequired)) {
    const message = `${field} is required. Add it to the body.`;
    return isRequired ? { field, code: 'required', message } : undefined;
  }
  if (!isStorable(value))
    return { field, code: 'text_invalid', message: `${field} is not valid: ${UNSTORABLE}` };
  if (Check(schema, value)) return undefined;
  const { type, description = 'see the documentation' } = schema as { type?: string; description?: string };
  if (type !== undefined && type !== typeOf(value))
    return { field, code: 'wrong_type', message: `${field} must be a JSON ${type}, not ${typeOf(value)}.` };
  return { field, code: 'text_invalid', message: `${field} is not valid: ${description}` };
}

const UNSTORABLE =
  'text must not contain a null character or a broken character, and values must not be nested deeply.';
/** The response of an authenticator has fewer levels than this. */
const MAX_DEPTH = 8;

/** Whether the database can store every text in the value. */
export function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  return Object.entries(value).every(([name, each]) => isStorable(name) && isStorable(each, depth + 1));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
