// Compares responses with an OpenAPI document: the documented statuses and shapes, without additional fields.
import assert from 'node:assert/strict';
import { Compile } from 'typebox/schema';
import { makeConsoleDocument } from '../../../src/http/console/document.ts';
import { CONSOLE_ROUTES } from '../../../src/http/console/routes.ts';
import { NO_SUCH_PATH } from '../../../src/http/errors.ts';
import type { Answer } from '../service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document is looked into freely
type Json = any;

/** Returns the schema with its references resolved. The result allows no additional members. */
export function closed(schema: Json, document: Json): Json {
  if (Array.isArray(schema)) return schema.map((each) => closed(each, document));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema.$ref !== undefined) {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(schema.$ref)?.[1];
    return closed(document.components.schemas[name!], document);
  }
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closed(value, document)]),
  );
  return schema.properties === undefined ? inner : { ...inner, additionalProperties: false };
}

interface Operation {
  readonly pattern: RegExp;
  readonly name: string;
  readonly responses: Readonly<Record<number, Json>>;
}

const document: Json = makeConsoleDocument(
  { baseUrl: 'https://sliproad.example', version: '0' },
  CONSOLE_ROUTES,
);
const PARAMETER = /\{\w+\}/g;
const byMethod = new Map<string, Operation[]>();
const parameters = (path: string) => path.match(PARAMETER)?.length ?? 0;
// A path without parameters is tried before a path with parameters: in /transactions/test, "test" is not a mode.
for (const path of Object.keys(document.paths).sort((a, b) => parameters(a) - parameters(b)))
  for (const [method, { responses }] of Object.entries<Json>(document.paths[path])) {
    const pattern = new RegExp(`^${path.replaceAll(PARAMETER, '[^/]+')}$`);
    const all = byMethod.get(method.toUpperCase()) ?? [];
    all.push({ pattern, responses, name: `${method.toUpperCase()} ${path}` });
    byMethod.set(method.toUpperCase(), all);
  }

const compiled = new Map<Json, ReturnType<typeof Compile>>();

/** A schema is compiled only once, however many responses use it. */
function validatorOf(schema: Json) {
  const known = compiled.get(schema) ?? Compile(closed(schema, document));
  compiled.set(schema, known);
  return known;
}

type Received = Pick<Answer, 'status' | 'body'>;

/** Describes what is not documented about a JSON response of the console; undefined if everything is documented. */
export function undocumented(method: string, url: string, { status, body }: Received): string | undefined {
  const [path = ''] = url.split('?');
  const found = byMethod.get(method)?.find(({ pattern }) => pattern.test(path));
  // If a path has no route, for example because an id in it is too long, the response does not belong to the operation.
  if (found === undefined || body === undefined || body.message === NO_SUCH_PATH.message) return undefined;
  const schema = found.responses[status]?.content?.['application/json']?.schema;
  if (schema === undefined) return `${found.name} does not document ${status}: ${JSON.stringify(body)}`;
  const [fits, errors] = validatorOf(schema).Errors(body);
  return fits
    ? undefined
    : `${found.name} answers what it does not document: ${JSON.stringify(errors)} ${JSON.stringify(body)}`;
}

/** A test must call this for every JSON response of the console that it receives. */
export function assertDocumented(method: string, url: string, answer: Received): void {
  assert.equal(undocumented(method, url, answer), undefined);
}
