// Finds dashboard types that copy a schema of the service. The service describes the responses and bodies of the console once.
// A dashboard type with three or more members of one schema is a copy of that schema: it would still compile after the service
// changes.
import { type TSInterfaceBody, type TSTypeLiteral, Visitor } from 'oxc-parser';
import { CONSOLE_TYPES_FILE, consoleDocument } from './console-types.ts';
import type { OpenApi, Schema } from './schema-types.ts';
import { lineOf, parseSource, readSources, type Source } from './source.ts';

/** Fewer members may match by chance. */
const SHARED = 3;

export interface DocumentShape {
  readonly name: string;
  readonly members: ReadonlySet<string>;
}

export function findCopiedTypes(root: string, shapes = shapesOf(consoleDocument())): string[] {
  return readSources(root, ['dashboard/src/**/*.{ts,tsx}'])
    .filter(({ file }) => file !== CONSOLE_TYPES_FILE)
    .flatMap((source) =>
      typesIn(source).flatMap(({ line, members }) => compareWithShapes(source, line, members, shapes)),
    );
}

function compareWithShapes(
  { file }: Source,
  line: number,
  members: readonly string[],
  shapes: readonly DocumentShape[],
): string[] {
  const closest = shapes
    .map(({ name, members: known }) => ({ name, shared: members.filter((each) => known.has(each)) }))
    .reduce((best, each) => (each.shared.length > best.shared.length ? each : best), NOTHING);
  if (closest.shared.length < SHARED) return [];
  return [
    `${file}:${line}: the type repeats ${closest.name} (${closest.shared.join(', ')}): import it from ${CONSOLE_TYPES_FILE}, whole or by Pick and Omit`,
  ];
}

const NOTHING = { name: '', shared: [] as readonly string[] };

function typesIn(source: Source): { readonly line: number; readonly members: readonly string[] }[] {
  const found: { line: number; members: string[] }[] = [];
  const take = (node: TSInterfaceBody | TSTypeLiteral, signatures: readonly Signature[]) => {
    const members = signatures.flatMap(nameOf);
    found.push({ line: lineOf(source.text, node.start), members });
  };
  new Visitor({
    TSInterfaceBody: (node) => take(node, node.body),
    TSTypeLiteral: (node) => take(node, node.members),
  }).visit(parseSource(source));
  return found;
}

type Signature = TSTypeLiteral['members'][number];

function nameOf(signature: Signature): string[] {
  if (signature.type !== 'TSPropertySignature') return [];
  const { key } = signature;
  if (key.type === 'Identifier') return [key.name];
  return key.type === 'Literal' && typeof key.value === 'string' ? [key.value] : [];
}

export function shapesOf({ paths, components: { schemas = {} } }: OpenApi): readonly DocumentShape[] {
  const shapes: DocumentShape[] = [];
  const walk = (schema: Schema | undefined, name: string): void => {
    if (schema === undefined) return;
    const { properties, items, additionalProperties: values } = schema;
    if (properties !== undefined) shapes.push({ name, members: new Set(Object.keys(properties)) });
    for (const [member, each] of Object.entries(properties ?? {})) walk(each, `${name}.${member}`);
    walk(items, name);
    if (typeof values === 'object') walk(values, name);
    for (const each of [schema.anyOf, schema.oneOf, schema.allOf].flat()) walk(each, name);
  };
  for (const [name, schema] of Object.entries(schemas)) walk(schema, name);
  for (const { operationId, requestBody, responses } of Object.values(paths).flatMap((each) =>
    Object.values(each),
  )) {
    for (const { schema } of Object.values(requestBody?.content ?? {}))
      walk(schema, `the body of ${operationId}`);
    for (const [status, { content = {} }] of Object.entries(responses))
      if (status.startsWith('2'))
        for (const { schema } of Object.values(content)) walk(schema, `the answer of ${operationId}`);
  }
  return shapes;
}
