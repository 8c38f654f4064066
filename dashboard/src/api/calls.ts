// Calls of the session API. The method and the documented path determine the types of the request and the response. The types are
// generated from the service's OpenAPI document (console-types.ts).
import { call, ROOT, upload } from './client.ts';
import type { Operations } from './console-types.ts';
import { type Address, fillPath } from './url.ts';

export type Method = keyof Operations;
export type PathOf<M extends Method> = keyof Operations[M] & string;
export type AnswerOf<M extends Method, P extends PathOf<M>> = Operations[M][P] extends {
  readonly answer: infer Answer;
}
  ? Answer
  : never;

type Part<Operation, Name extends string> = Operation extends { readonly [Each in Name]: infer Value }
  ? Record<never, never> extends Value
    ? { readonly [Each in Name]?: Value }
    : { readonly [Each in Name]: Value }
  : unknown;

export type AddressOf<M extends Method, P extends PathOf<M>> = Part<Operations[M][P], 'params'> &
  Part<Operations[M][P], 'query'>;
export type Given<M extends Method, P extends PathOf<M>> = AddressOf<M, P> & Part<Operations[M][P], 'body'>;

/** An argument that is optional if none of its members is required. */
export type Argument<T> = Record<never, never> extends T ? [given?: T] : [given: T];

type Headers = Readonly<Record<string, string>>;
type Sent = Address & { readonly body?: object; readonly headers?: Headers };

export function pathTo<P extends PathOf<'get'>>(path: P, ...[given]: Argument<AddressOf<'get', P>>): string {
  return fillPath(path, given as Address | undefined);
}

export function downloadUrl<P extends PathOf<'get'>>(path: P, given: AddressOf<'get', P>): string {
  return ROOT + fillPath(path, given as Address);
}

export function get<P extends PathOf<'get'>>(
  path: P,
  given: AddressOf<'get', P>,
  signal?: AbortSignal,
): Promise<AnswerOf<'get', P>> {
  return call('GET', fillPath(path, given as Address), { signal }) as Promise<AnswerOf<'get', P>>;
}

export function post<P extends PathOf<'post'>>(
  path: P,
  ...[given]: Argument<Given<'post', P> & { readonly headers?: Headers }>
): Promise<AnswerOf<'post', P>> {
  return send('POST', path, given ?? {}) as Promise<AnswerOf<'post', P>>;
}

export function put<P extends PathOf<'put'>>(path: P, given: Given<'put', P>): Promise<AnswerOf<'put', P>> {
  return send('PUT', path, given) as Promise<AnswerOf<'put', P>>;
}

export function del<P extends PathOf<'delete'>>(
  path: P,
  given: Given<'delete', P>,
): Promise<AnswerOf<'delete', P>> {
  return call('DELETE', fillPath(path, given as Address), {}) as Promise<AnswerOf<'delete', P>>;
}

/** Sends the file unchanged. `onSent` gets the number of bytes sent so far. */
export function sendFile<P extends PathOf<'post'>>(
  path: P,
  given: AddressOf<'post', P>,
  file: File,
  onSent: (bytes: number) => void,
): Promise<AnswerOf<'post', P>> {
  return upload(fillPath(path, given as Address), file, onSent) as Promise<AnswerOf<'post', P>>;
}

/** A caller uses one key per click. The service responds to a repeated request with the same key but executes it only once. */
export function idempotencyKey(): Headers {
  return { 'idempotency-key': crypto.randomUUID() };
}

function send(method: string, path: string, given: object): Promise<unknown> {
  const { body = {}, headers = {}, ...address } = given as Sent;
  return call(method, fillPath(path, address), { body, headers });
}
