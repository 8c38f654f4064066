// Caches responses that are the same for every caller of a mode. Each response is rendered once per snapshot of the catalogue,
// with an ETag and, if known, a date. A client that has the current version gets 304.
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mode } from '../../domain/values/mode.ts';
import type { CatalogueSnapshot } from '../../ports/catalogue.ts';

export interface CachedAnswer {
  readonly body: string;
  readonly etag: string;
  /** Null if the date of the last change is unknown. */
  readonly lastModifiedMs: number | null;
  readonly lastModified: string | null;
}

export function cachePerSnapshot<T>(
  render: (snapshot: CatalogueSnapshot, mode: Mode) => T,
): (snapshot: CatalogueSnapshot, mode: Mode) => T {
  const kept: Partial<Record<Mode, { generation: number; answer: T }>> = {};
  return (snapshot, mode) => {
    const last = kept[mode];
    if (last?.generation === snapshot.generation) return last.answer;
    const answer = render(snapshot, mode);
    kept[mode] = { generation: snapshot.generation, answer };
    return answer;
  };
}

export function makeCachedAnswer(value: unknown, lastModifiedMs: number | null): CachedAnswer {
  const body = JSON.stringify(value);
  // HTTP dates are exact only to the second, so the comparison uses whole seconds.
  const wholeMs = lastModifiedMs === null ? null : Math.floor(lastModifiedMs / 1_000) * 1_000;
  return {
    body,
    etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"`,
    lastModifiedMs: wholeMs,
    lastModified: wholeMs === null ? null : new Date(wholeMs).toUTCString(),
  };
}

export function sendCachedAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: CachedAnswer,
): FastifyReply {
  reply.header('etag', answer.etag);
  if (answer.lastModified !== null) reply.header('last-modified', answer.lastModified);
  // A client may keep the response but must revalidate it, because a rate or a vendor can change at any moment.
  reply.header('cache-control', 'private, no-cache');
  if (clientHas(request, answer)) return reply.code(304).send();
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(answer.body);
}

function clientHas({ headers }: FastifyRequest, answer: CachedAnswer): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) {
    return known === '*' || known.split(',').some((each) => each.trim().replace(/^W\//, '') === answer.etag);
  }
  const since = headers['if-modified-since'];
  return since !== undefined && answer.lastModifiedMs !== null && Date.parse(since) >= answer.lastModifiedMs;
}
