// The check of a body's shape takes null in an optional field as left out (requests/shape.ts); the document says so for every
// body, so that a route cannot forget it.

interface BodySchema {
  readonly properties?: Readonly<Record<string, { type?: string | readonly string[]; enum?: unknown[] }>>;
  readonly required?: readonly string[];
}

interface Operation {
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: BodySchema }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Changes the document it is given. */
export function allowNullInOptionalFields(document: object): void {
  const operations = Object.values((document as Document).paths).flatMap((path) => Object.values(path));
  for (const { requestBody } of operations)
    for (const { schema } of Object.values(requestBody?.content ?? {})) if (schema) allowNull(schema);
}

function allowNull({ properties = {}, required = [] }: BodySchema): void {
  for (const [name, field] of Object.entries(properties)) {
    if (required.includes(name) || typeof field.type !== 'string') continue;
    field.type = [field.type, 'null'];
    field.enum?.push(null);
  }
}
