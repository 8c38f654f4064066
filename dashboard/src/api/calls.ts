// Calls of the session API. A method and a path, written as the service documents it, say what is sent and what is answered: the types
// come from the service's own document (console-types.ts).
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

/** Left out where all of it may be left out. */
type Part<Operation, Name extends string> = Operation extends { readonly [Each in Name]: infer Value }
  ? Record<never, never> extends Value
    ? { readonly [Each in Name]?: Value }
    : { readonly [Each in Name]: Value }
  : unknown;

/** Where it is sent to. */
export type AddressOf<M extends Method, P extends PathOf<M>> = Part<Operations[M][P], 'params'> &
  Part<Operations[M][P], 'query'>;
/** What is sent, and where to. */
export type Given<M extends Method, P extends PathOf<M>> = AddressOf<M, P> & Part<Operations[M][P], 'body'>;

/** An argument that may be left out when nothing in it is needed. */
export type Argument<T> = Record<never, never> extends T ? [given?: T] : [given: T];

type Headers = Readonly<Record<string, string>>;
type Sent = Address & { readonly body?: object; readonly headers?: Headers };

/** The address of a read below /console/v1: for streams, and to say which reads are old now. */
export function pathTo<P extends PathOf<'get'>>(path: P, ...[given]: Argument<AddressOf<'get', P>>): string {
  return fillPath(path, given as Address | undefined);
}

/** Where a browser downloads from. */
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

/** A file as it is. `onSent`: how many bytes of it are with the service. */
export function sendFile<P extends PathOf<'post'>>(
  path: P,
  given: AddressOf<'post', P>,
  file: File,
  onSent: (bytes: number) => void,
): Promise<AnswerOf<'post', P>> {
  return upload(fillPath(path, given as Address), file, onSent) as Promise<AnswerOf<'post', P>>;
}

/** The same key for the same click: a repeated request is answered, and not carried out again. */
export function idempotencyKey(): Headers {
  return { 'idempotency-key': crypto.randomUUID() };
}

function send(method: string, path: string, given: object): Promise<unknown> {
  const { body = {}, headers = {}, ...address } = given as Sent;
  return call(method, fillPath(path, address), { body, headers });
}
