// The collection for Postman, generated from the OpenAPI document (format 2.1, which Bruno and Insomnia also import). Values that
// differ between installations or businesses are variables.

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

export interface CollectionOptions {
  readonly baseUrl: string;
  readonly otcBaseUrl: string;
  readonly secretKeyHeader: string;
  /** The business of the embedded sandbox; null if there is no embedded sandbox. */
  readonly sandbox: { readonly businessId: string; readonly linkTag: string } | null;
}

interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
}

interface JsonContent {
  readonly 'application/json'?: {
    readonly example?: unknown;
    readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly unknown[];
  readonly servers?: readonly unknown[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly content: JsonContent };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: JsonContent }>
  >;
}

interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

export function makeCollection(document: object, options: CollectionOptions): object {
  const { info, tags, paths } = document as OpenApiDocument;
  const items = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      item: itemOf(method.toUpperCase(), path, operation),
    })),
  );
  return {
    info: {
      name: info.title,
      description: `${info.description}\n\nSet the variables of the collection first: secretKey, businessId and linkTag.`,
      version: info.version,
      schema: SCHEMA,
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: options.secretKeyHeader, type: 'string' },
        { key: 'value', value: '{{secretKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: options.baseUrl, type: 'string' },
      { key: 'otcBaseUrl', value: options.otcBaseUrl, type: 'string' },
      { key: 'secretKey', value: '', type: 'string' },
      { key: 'businessId', value: options.sandbox?.businessId ?? '', type: 'string' },
      { key: 'linkTag', value: options.sandbox?.linkTag ?? '', type: 'string' },
    ],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: items.filter(({ tag }) => tag === name).map(({ item }) => item),
    })),
  };
}

function itemOf(method: string, path: string, operation: OpenApiOperation): object {
  const request = requestOf(method, path, operation);
  return {
    id: operation.operationId,
    name: operation.summary,
    request,
    response: Object.entries(operation.responses).flatMap(([status, answer]) => {
      // The collection shows one example for each status. The OpenAPI document also has the other examples.
      const [example] = Object.entries(answer.content?.['application/json']?.examples ?? {});
      if (example === undefined) return [];
      const [name, { value }] = example;
      return [
        {
          name: name === 'example' ? answer.description : name,
          originalRequest: request,
          code: Number(status),
          status: answer.description,
          _postman_previewlanguage: 'json',
          header: [{ key: 'content-type', value: 'application/json; charset=utf-8' }],
          body: JSON.stringify(value, null, 2),
        },
      ];
    }),
  };
}

function requestOf(method: string, path: string, operation: OpenApiOperation): object {
  const { parameters = [], requestBody, security, servers, summary, description = '' } = operation;
  const of = (where: OpenApiParameter['in']) => parameters.filter((each) => each.in === where);
  const described = ({ name: key, description: text = '' }: OpenApiParameter) => ({
    key,
    value: '',
    description: text,
  });
  const optional = (each: OpenApiParameter) => ({ ...described(each), disabled: true });
  const host = servers === undefined ? '{{baseUrl}}' : '{{otcBaseUrl}}';
  const segments = path
    .slice(1)
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/');
  const example = requestBody?.content['application/json']?.example;
  return {
    method,
    description: description === '' ? summary : description,
    ...(security.length === 0 && { auth: { type: 'noauth' } }),
    header: [
      ...(requestBody === undefined ? [] : [{ key: 'content-type', value: 'application/json' }]),
      ...of('header').map(optional),
    ],
    url: {
      raw: [host, ...segments].join('/'),
      host: [host],
      path: segments,
      query: of('query').map(optional),
      variable: of('path').map(described),
    },
    ...(requestBody !== undefined && {
      body: { mode: 'raw', raw: bodyText(example), options: { raw: { language: 'json' } } },
    }),
  };
}

/** In the example, the sender's own values are variables. */
function bodyText(example: unknown): string {
  const own: Readonly<Record<string, string>> = { business_id: '{{businessId}}', link_tag: '{{linkTag}}' };
  return JSON.stringify(example ?? {}, (key, value) => own[key] ?? value, 2);
}
