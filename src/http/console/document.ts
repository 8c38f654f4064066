// The OpenAPI document of the console, generated from its list of routes. Each route has its permission in `x-permission`.
import { type TObject, type TSchema, Type } from 'typebox';
import { REFUSAL_CODES, type RefusalCode } from '../../domain/values/refusals.ts';
import { nameSchema } from '../../renderings/parts/schemas.ts';
import { permissionText } from './access.ts';
import { CSRF_HEADER } from './admission/csrf.ts';
import { CONSOLE_STATUS, type ConsoleCode, statusOf } from './refusals.ts';
import { type ConsoleRoute, TAGS } from './route.ts';

export interface ConsoleDocumentOptions {
  readonly baseUrl: string;
  readonly version: string;
}

export function makeConsoleDocument(
  { baseUrl, version }: ConsoleDocumentOptions,
  routes: readonly ConsoleRoute[],
): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationDocument(route) };
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Sliproad console',
      version,
      summary: 'The session API that the pages of the service use.',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl, description: 'This service' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => routes.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-sliproad',
          description: 'The session cookie, set by the sign-in.',
        },
      },
    },
  };
  return withComponents(document);
}

function withComponents<Document extends { readonly components: object }>(document: Document): Document {
  const schemas: Record<string, unknown> = {};
  const sources = new Map<string, object>();
  const replace = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(replace);
    const { $id: name, ...members } = value as Record<string, unknown>;
    // Most uses of a schema are the same object, so it is placed and compared only once.
    const isKnown = typeof name === 'string' && sources.get(name) === value;
    const made = isKnown ? undefined : mapMembers(members, replace);
    if (typeof name !== 'string') return made;
    if (!isKnown) {
      if (sources.has(name) && JSON.stringify(schemas[name]) !== JSON.stringify(made))
        throw new Error(`Two schemas of the console have the name ${name}: name one of them differently.`);
      schemas[name] = made;
      sources.set(name, value);
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  const made = replace(document) as Document;
  return JSON.parse(JSON.stringify({ ...made, components: { schemas, ...made.components } }));
}

function mapMembers(members: object, change: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]));
}

const code = Type.String({ enum: [...Object.keys(CONSOLE_STATUS), ...REFUSAL_CODES] });
const ErrorSchema = nameSchema(
  'Error',
  Type.Object({
    status: Type.String({ enum: ['error'] }),
    message: Type.String(),
    code,
    errors: Type.Array(Type.Object({ field: Type.String(), code, message: Type.String() })),
    request_id: Type.String(),
  }),
);

function operationDocument(route: ConsoleRoute): object {
  const { access, name, summary, tag, body, navigation } = route;
  const changes = route.method !== 'GET';
  const withSession = access !== 'public';
  return {
    operationId: name,
    summary,
    ...(navigation !== undefined && {
      description: `The only effect of this GET: ${navigation.changes}`,
    }),
    tags: [tag],
    'x-permission': permissionText(access),
    security: withSession ? [{ session: [] }] : [],
    parameters: [
      ...pathParameters(route),
      ...queryParameters(route),
      ...(withSession && changes ? [CSRF] : []),
    ],
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
    }),
    ...(route.takes === 'file' && {
      requestBody: { required: true, content: { 'application/octet-stream': {} } },
    }),
    responses: { ...answerDocuments(route), ...refusalDocuments(route) },
  };
}

function answerDocuments({ answer, navigation, sends }: ConsoleRoute): Record<number, object> {
  if (sends !== undefined) {
    const content = { [sends.contentType]: { schema: Type.String() } };
    return { 200: { description: sends.description, content } };
  }
  if (navigation !== undefined) {
    const headers = { location: { schema: Type.String() } };
    const sentOn = Object.entries(navigation.answers).map(([status, description]) => [
      status,
      { description, headers },
    ]);
    return Object.fromEntries(sentOn);
  }
  const schema = Type.Object({ status: Type.String({ enum: ['success'] }), ...answer });
  return { 200: { description: 'Done.', content: { 'application/json': { schema } } } };
}

const CSRF = {
  name: CSRF_HEADER,
  in: 'header',
  required: true,
  description: 'csrf_token from GET /console/v1/session.',
  schema: { type: 'string' },
};

function pathParameters({ path }: ConsoleRoute): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'mode' ? { type: 'string', enum: ['live', 'test'] } : { type: 'string' },
  }));
}

function queryParameters({ query }: ConsoleRoute): object[] {
  return Object.entries<TSchema>((query as TObject | undefined)?.properties ?? {}).map(([name, schema]) => ({
    ...{ name, in: 'query', required: false, schema },
  }));
}

function refusalDocuments(route: ConsoleRoute): Record<number, object> {
  const { access, method, body, limit, navigation } = route;
  const all = new Set<ConsoleCode | RefusalCode>(['rate_limited', 'unavailable', 'internal_error']);
  if (access !== 'public') all.add('not_signed_in');
  if (typeof access === 'object') all.add('not_allowed');
  if (typeof access === 'object' && 'business' in access) all.add('not_found');
  if (method !== 'GET') all.add('foreign_origin');
  if (method === 'POST' || method === 'PUT') all.add('unsupported_media_type').add('invalid_json');
  if (method !== 'GET' && access !== 'public') all.add('csrf_token_wrong');
  if (body !== undefined) for (const each of BODY_CODES) all.add(each);
  if (limit !== undefined) all.add('rate_limited');
  if (navigation !== undefined) all.add('not_a_navigation');
  for (const each of route.refusals ?? []) all.add(each);
  const answers: Record<number, object> = {};
  for (const status of new Set([...all].map(statusOf))) {
    const codes = [...all].filter((each) => statusOf(each) === status);
    answers[status] = {
      description: `${codes.join(', ')}.`,
      content: { 'application/json': { schema: ErrorSchema } },
    };
  }
  return answers;
}

const BODY_CODES = ['invalid_body', 'required', 'wrong_type', 'text_invalid', 'body_too_large'] as const;

const DESCRIPTION = `The API of the pages of this service, for no other clients. A person signs in, and a cookie contains the
session token. A secret key gives no access here, and a session gives no access to the public API.

Every request that changes something must come from a page of this service (header \`origin\`), send the CSRF token in the
header \`x-csrf-token\`, and send its body as JSON. Every error has the common body. \`x-permission\` is the required access:
\`public\`, \`session\`, \`business:…\` or \`operator:…\`.`;
