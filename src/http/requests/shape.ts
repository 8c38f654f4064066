// Checks a body's shape against its schema: an object, the required members there, each of the right type. Values are
// judged later, by the rules. `null` counts as absent for an optional member.
import type { FieldError } from '../../domain/values/refusals.ts';

interface ObjectSchema {
  readonly properties: Readonly<Record<string, { readonly type: string }>>;
  readonly required?: readonly string[];
}

export type ShapeCheck = (body: unknown) => readonly FieldError[];

export function compileShape(schema: ObjectSchema): ShapeCheck {
  const members = Object.entries(schema.properties).map(([field, { type }]) => ({
    field,
    type,
    required: schema.required?.includes(field) ?? false,
  }));
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      return [{ field: '', code: 'invalid_body', message: 'The body must be a JSON object.' }];
    }
    const object = body as Record<string, unknown>;
    let errors: FieldError[] | undefined;
    for (const { field, type, required } of members) {
      const value = Object.hasOwn(object, field) ? object[field] : undefined;
      if (value === undefined || (value === null && !required)) {
        if (value === null) delete object[field];
        if (required) errors = [...(errors ?? []), missing(field)];
      } else if (typeof value !== type) {
        errors = [...(errors ?? []), wrongType(field, type, value)];
      }
    }
    return errors ?? [];
  };
}

function missing(field: string): FieldError {
  return { field, code: 'required', message: `${field} is required.` };
}

function wrongType(field: string, type: string, value: unknown): FieldError {
  if (field === 'amount') {
    const hint = typeof value === 'string' ? ', without quotes' : '';
    const message = `amount must be a JSON number${hint}: for example 15000 or 15000.50.`;
    return { field, code: 'amount_not_a_number', message };
  }
  return { field, code: 'wrong_type', message: `${field} must be a ${type}.` };
}
