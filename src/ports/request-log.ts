// The request log: the requests of a business and the responses to them. The service keeps the log for a limited time and shows
// it only to the business.
import type { Mode } from '../domain/values/mode.ts';
import type { BusinessScope } from './store/reads.ts';

export interface LoggedRequest {
  readonly businessId: string;
  readonly mode: Mode;
  readonly requestId: string;
  readonly atMs: number;
  readonly keyId: string;
  readonly method: string;
  /** The path with its query, after possible secrets were removed. */
  readonly path: string;
  readonly status: number;
  /** The code in the error body; null if the request succeeded. */
  readonly code: string | null;
  readonly durationMs: number;
  /** The body as JSON with masked secrets; null if the request had no readable body. */
  readonly body: string | null;
  /** Whether the log stores only the beginning of the JSON. */
  readonly bodyTruncated: boolean;
}

export type ListedRequest = Omit<LoggedRequest, 'body' | 'bodyTruncated'>;

/** A position in the list of requests. The list is sorted by time, newest first, and then by id. */
export interface RequestPosition {
  readonly atMs: number;
  readonly requestId: string;
}

export interface RequestFilter {
  readonly statusClass?: number;
  /** A text in lower case that the path must contain. */
  readonly pathContains?: string;
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly after?: RequestPosition;
  readonly limit: number;
}

export interface RequestPage {
  readonly requests: readonly ListedRequest[];
  /**
   * The start of the next page; null if this page is the last. A page checks a limited number of requests, so a short page may
   * still have a next page.
   */
  readonly next: RequestPosition | null;
}

export interface RequestLog {
  /** Writes all requests in one statement. It skips a request whose id already exists, so a batch may be written again. */
  append(requests: readonly LoggedRequest[]): Promise<void>;
  find(scope: BusinessScope, requestId: string): Promise<LoggedRequest | undefined>;
  list(scope: BusinessScope, filter: RequestFilter): Promise<RequestPage>;
  /** Deletes at most `limit` requests that arrived before that time, and returns their number. */
  deleteBefore(beforeMs: number, limit: number): Promise<number>;
}
