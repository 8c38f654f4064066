// Serves pages and files that are the same for all clients. They stay in memory and are compressed once, at the first request
// for compression. A client that has the current version gets a 304. The service sends a large page in slices, so that no
// separate copy stays in memory for a slow client.
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface CachedPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly headersFor?: (host: string | undefined) => Readonly<Record<string, string>>;
  readonly plain: PageVariant;
  /** Null if compression would save little. */
  readonly gzipped: PageVariant | null;
}

interface PageVariant {
  readonly body: () => Buffer | Promise<Buffer>;
  readonly etag: string;
}

/** Renders a page at its first request, because no person requests most documents. */
export type PageMaker = () => Promise<CachedPage>;

/** Makes the value at the first call and keeps it. A failure is not kept: the next call tries again. */
export function makeLazily<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** A body below this size fits into one packet without compression. */
const WORTH_COMPRESSING = 1_400;
const SLICE = 65_536;

export async function makePage(
  content: string | Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<CachedPage> {
  const body = Buffer.from(content);
  const digest = hash('sha256', body, 'base64url').slice(0, 22);
  const plain = { body: () => body, etag: `"${digest}"` };
  if (body.length < WORTH_COMPRESSING || headers['content-type']?.startsWith('image/')) {
    return { headers, plain, gzipped: null };
  }
  let smaller: Promise<Buffer> | undefined;
  const compressed = () => {
    smaller ??= promisify(gzip)(body);
    return smaller;
  };
  return { headers, plain, gzipped: { body: compressed, etag: `"${digest}-gzip"` } };
}

export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  source: CachedPage | PageMaker,
): Promise<FastifyReply> {
  const page = typeof source === 'function' ? await source() : source;
  const useGzip = page.gzipped !== null && acceptsGzip(request.headers['accept-encoding']);
  const { body: bodyOf, etag } = useGzip ? page.gzipped : page.plain;
  reply.headers({ ...page.headers, ...page.headersFor?.(request.headers.host) }).header('etag', etag);
  if (page.gzipped !== null) reply.header('vary', 'accept-encoding');
  if (matchesEtag(request.headers['if-none-match'], etag))
    return reply.code(304).removeHeader('content-type').send();
  const body = await bodyOf();
  if (useGzip) reply.header('content-encoding', 'gzip');
  reply.header('content-length', body.length);
  return reply.send(body.length <= SLICE || request.method === 'HEAD' ? body : streamInSlices(body));
}

function streamInSlices(body: Buffer): Readable {
  let sent = 0;
  return new Readable({
    highWaterMark: SLICE,
    read() {
      this.push(sent >= body.length ? null : body.subarray(sent, sent + SLICE));
      sent += SLICE;
    },
  });
}

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return (
    ifNoneMatch === '*' || ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === etag)
  );
}

function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return /(^|,)\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*(,|$))[\d.]+\s*)?(,|$)/i.test(acceptEncoding ?? '');
}
