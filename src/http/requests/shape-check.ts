// Checks the shape of a body against its schema: the body is an object, all required fields are present, and each field has the
// right JSON type. The field rules check the values later. `null` counts as absent for an optional field, unless its schema
// allows null as a value.
import type { FieldError } from '../../domain/values/refusals.ts';

interface ObjectSchema {
  readonly properties: Readonly<Record<string, { readonly type: string | readonly [string, 'null'] }>>;
  readonly required?: readonly string[];
}

export type ShapeCheck = (body: unknown) => readonly FieldError[];

export function compileShapeCheck(schema: ObjectSchema): ShapeCheck {
  const members = Object.entries(schema.properties).map(([field, { type }]) => ({
    field,
    type: typeof type === 'string' ? type : type[0],
    takesNull: typeof type !== 'string',
    required: schema.required?.includes(field) ?? false,
  }));
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      return [{ field: '', code: 'invalid_body', message: 'The body must be a JSON object: { … }.' }];
    }
    const object = body as Record<string, unknown>;
    let errors: FieldError[] | undefined;
    for (const { field, type, takesNull, required } of members) {
      const value = Object.hasOwn(object, field) ? object[field] : undefined;
      if (value === null && takesNull) continue;
      if (value === undefined || (value === null && !required)) {
        if (value === null) delete object[field];
        if (required) errors = [...(errors ?? []), missingFieldError(field)];
      } else if (!hasType(value, type)) {
        errors = [...(errors ?? []), wrongTypeError(field, type, value)];
      }
    }
    return errors ?? [];
  };
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value);
  return typeof value === (type === 'integer' ? 'number' : type);
}

function missingFieldError(field: string): FieldError {
  return { field, code: 'required', message: `${field} is required. Add it to the body.` };
}

function wrongTypeError(field: string, type: string, value: unknown): FieldError {
  if (field === 'amount') {
    const hint = typeof value === 'string' ? ', without quotes' : '';
    const message = `amount must be a JSON number${hint}, for example 15000 or 15000.50.`;
    return { field, code: 'amount_not_a_number', message };
  }
  const example = type === 'string' ? ', in double quotes' : type === 'array' ? ' […]' : '';
  const message = `${field} must be a JSON ${type === 'integer' ? 'number' : type}${example}, not ${typeName(value)}.`;
  return { field, code: 'wrong_type', message };
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
