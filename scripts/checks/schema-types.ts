// Writes the schemas of an OpenAPI document as TypeScript. Each schema has a type, and so have the body, query and response of
// each operation. A long type is written once. Further occurrences refer to the first one, for example Transaction['state'].

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** A request may contain an optional field as undefined. A response never does. */
type Direction = 'request' | 'answer';

interface WritingContext {
  readonly direction: Direction;
  /**
   * Long types that were already written, each with an expression that refers to it. Undefined means that all types are written
   * out.
   */
  readonly written: Map<string, string> | undefined;
  /**
   * Named schemas. An object that has all fields of a named schema, and more fields, is written as an extension of that schema.
   */
  readonly named: Readonly<Record<string, Schema>>;
}

/**
 * An expression that refers to a type that is being written. It is undefined if TypeScript has no such expression, for example
 * for one of several alternatives.
 */
type TypePlace = string | undefined;

/** Types shorter than this are easier to read when they are written out. */
const LONG = 120;

export function typesOf({ paths, components: { schemas: named = {} } }: OpenApi): readonly string[] {
  const written = new Map<string, string>();
  const declareAs = (direction: Direction) => (name: string, schema: Schema) =>
    declare(name, schema, { direction, written, named });
  const schemas = Object.entries(named).map(([name, schema]) => declareAs('answer')(typeName(name), schema));
  const operations = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => operationTypes(operation, declareAs('request'), declareAs('answer')));
  return [...schemas, ...operations];
}

type Declare = (name: string, schema: Schema) => string;

function operationTypes(operation: Operation, declareRequest: Declare, declareAnswer: Declare): string[] {
  const { operationId, parameters = [] } = operation;
  const name = typeName(operationId);
  const found: string[] = [];
  const query = parameters.filter((each) => each.in === 'query');
  if (query.length > 0) {
    const properties = Object.fromEntries(
      query.map(({ name: field, schema, description }) => [
        field,
        { ...schema, ...(description !== undefined && { description }) },
      ]),
    );
    const required = query.filter((each) => each.required).map((each) => each.name);
    found.push(declareRequest(`${name}Query`, { type: 'object', properties, required }));
  }
  const body = bodyOf(operation);
  if (body !== undefined) found.push(declareRequest(`${name}Body`, body));
  const scenario = parameters.find((each) => each.in === 'header' && each.name === 'svc-scenario');
  if (scenario !== undefined) found.push(declareRequest(`${name}Scenario`, scenario.schema));
  const answer = answerOf(operation);
  if (answer !== undefined) found.push(declareAnswer(`${name}Answer`, answer));
  return found;
}

export function bodyOf({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content?.['application/json']?.schema;
}

export function answerOf({ responses }: Operation): Schema | undefined {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  return success?.[1].content?.['application/json']?.schema;
}

function declare(name: string, schema: Schema, writing: WritingContext): string {
  const comment = commentOf(schema.description);
  const isEmpty = schema.properties !== undefined && Object.keys(schema.properties).length === 0;
  const type = isEmpty ? 'Readonly<Record<string, never>>' : typeOf(schema, writing, name);
  return schema.type === 'object' && type.startsWith('{')
    ? `${comment}export interface ${name} ${type}\n`
    : `${comment}export type ${name} = ${type};\n`;
}

function typeOf(schema: Schema, writing: WritingContext, place: TypePlace): string {
  const { $ref, type, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return typeName($ref.slice($ref.lastIndexOf('/') + 1));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return enumOf(schema.enum, writing, place);
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) {
    const isOne = choices.filter((each) => each.type !== 'null').length === 1;
    return unionOf(choices.map((each) => typeOf(each, writing, isOne ? withoutNull(place) : undefined)));
  }
  if (allOf !== undefined) return allOf.map((each) => `(${typeOf(each, writing, undefined)})`).join(' & ');
  const kinds = typeof type === 'string' ? [type] : (type ?? []);
  if (kinds.length === 0) return 'unknown';
  const inside = kinds.length === 1 ? place : withoutNull(place);
  return unionOf(kinds.map((kind) => kindOf(kind, schema, writing, inside)));
}

function kindOf(kind: string, schema: Schema, writing: WritingContext, place: TypePlace): string {
  switch (kind) {
    case 'string':
    case 'boolean':
    case 'null':
      return kind;
    case 'number':
    case 'integer':
      return 'number';
    case 'array': {
      const each = place && `${place}[number]`;
      return `readonly (${schema.items === undefined ? 'unknown' : typeOf(schema.items, writing, each)})[]`;
    }
    case 'object':
      return writeOnce((how) => objectOf(schema, how, place), writing, place);
    default:
      throw new Error(`scripts/checks/schema-types.ts does not know the type ${kind} of JSON Schema: add it`);
  }
}

function enumOf(values: readonly unknown[], writing: WritingContext, place: TypePlace): string {
  const words = values.filter((value) => value !== null).map((value) => JSON.stringify(value));
  const hasNull = words.length < values.length;
  const type = writeOnce(() => words.join(' | '), writing, hasNull ? withoutNull(place) : place);
  return hasNull ? `${type} | null` : type;
}

function objectOf(schema: Schema, writing: WritingContext, place: TypePlace): string {
  const { properties, additionalProperties } = schema;
  if (properties === undefined) {
    const values =
      typeof additionalProperties === 'object' ? typeOf(additionalProperties, writing, undefined) : 'unknown';
    return `Readonly<Record<string, ${values}>>`;
  }
  const base = baseOf(schema, writing);
  const members = membersOf(schema, writing, place).filter(([field]) => !base?.fields.has(field));
  const own = `{\n${members.map(([, text]) => text).join('\n')}\n}`;
  return base === undefined ? own : `${base.name} & ${own}`;
}

function membersOf(
  { properties = {}, required = [] }: Schema,
  writing: WritingContext,
  place: TypePlace,
): (readonly [field: string, text: string])[] {
  return Object.entries(properties).map(([field, schema]) => {
    const optional = !required.includes(field);
    const absent = optional && writing.direction === 'request' ? ' | undefined' : '';
    const key = /^[A-Za-z_$][\w$]*$/.test(field) ? field : JSON.stringify(field);
    const at = place && `${place}[${JSON.stringify(field)}]`;
    const type = typeOf(schema, writing, optional ? withoutNull(at) : at);
    return [
      field,
      `${commentOf(schema.description)}readonly ${key}${optional ? '?' : ''}: ${type}${absent};`,
    ];
  });
}

/** The named schema whose fields all occur in this schema and are equal. A few fields among many may match by chance. */
function baseOf(schema: Schema, writing: WritingContext) {
  if (writing.written === undefined) return undefined;
  const plain = { ...writing, written: undefined };
  const own = new Map(membersOf(schema, plain, undefined));
  for (const [name, base] of Object.entries(writing.named)) {
    const fields = new Map(membersOf(base, plain, undefined));
    const isPart = [...fields].every(([field, text]) => own.get(field) === text);
    if (fields.size >= own.size / 2 && fields.size < own.size && isPart)
      return { name: typeName(name), fields };
  }
  return undefined;
}

/** Types are compared in their full text, including comments, so that types which only look alike stay separate. */
function writeOnce(
  write: (how: WritingContext) => string,
  writing: WritingContext,
  place: TypePlace,
): string {
  const { written } = writing;
  const plain = write({ ...writing, written: undefined });
  if (written === undefined || plain.length < LONG) return plain;
  const before = written.get(plain);
  if (before !== undefined) return before;
  if (place !== undefined) written.set(plain, place);
  return write(writing);
}

function withoutNull(place: TypePlace): TypePlace {
  if (place === undefined || /^NonNullable<[^<>]*>$/.test(place)) return place;
  return `NonNullable<${place}>`;
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function commentOf(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n`;
}

/** Names that TypeScript or the browser already uses. */
const TAKEN = ['Error', 'Event'];

export function typeName(name: string): string {
  return TAKEN.includes(name) ? `${name}Answer` : `${name[0]!.toUpperCase()}${name.slice(1)}`;
}
