// The request log: the requests of a business and the responses to them. It is kept for a limited time and shown only to the
// business.
import type { Mode } from '../domain/values/mode.ts';
import type { BusinessScope } from './store/reads.ts';

export interface LoggedRequest {
  readonly businessId: string;
  readonly mode: Mode;
  readonly requestId: string;
  /** The time when the request arrived. */
  readonly atMs: number;
  readonly keyId: string;
  readonly method: string;
  /** The path with its query, after possible secrets were removed. */
  readonly path: string;
  readonly status: number;
  /** The code in the error body; null if the request succeeded. */
  readonly code: string | null;
  readonly durationMs: number;
  /** JSON with masked secrets; null if there was no readable body. */
  readonly body: string | null;
  /** Whether only the beginning of the JSON is stored. */
  readonly bodyTruncated: boolean;
}

/** A request without its body, for lists. */
export type ListedRequest = Omit<LoggedRequest, 'body' | 'bodyTruncated'>;

/** A position in the list: newest first, then by id for requests of the same time. */
export interface RequestPosition {
  readonly atMs: number;
  readonly requestId: string;
}

export interface RequestFilter {
  /** The first digit of the status. */
  readonly statusClass?: number;
  /** A text that the path must contain, in lower case. */
  readonly pathContains?: string;
  readonly fromMs?: number;
  readonly toMs?: number;
  /** The list starts after this request. */
  readonly after?: RequestPosition;
  readonly limit: number;
}

export interface RequestPage {
  readonly requests: readonly ListedRequest[];
  /**
   * The start of the next page; null if there is none. A page checks a limited number of requests, so a short page may still have
   * a next page.
   */
  readonly next: RequestPosition | null;
}

export interface RequestLog {
  /** Writes all requests in one statement. A request whose id already exists is skipped, so a batch may be written again. */
  append(requests: readonly LoggedRequest[]): Promise<void>;
  find(scope: BusinessScope, requestId: string): Promise<LoggedRequest | undefined>;
  list(scope: BusinessScope, filter: RequestFilter): Promise<RequestPage>;
  /** Deletes at most `limit` requests that arrived before that time; returns their number. */
  deleteBefore(beforeMs: number, limit: number): Promise<number>;
}
