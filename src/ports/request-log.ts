// The log of requests: what a business asked and what it was answered. Kept for a limited time, for the business alone.
import type { Mode } from '../domain/values/mode.ts';
import type { BusinessScope } from './store/reads.ts';

export interface LoggedRequest {
  readonly businessId: string;
  readonly mode: Mode;
  readonly requestId: string;
  /** The arrival of the request. */
  readonly atMs: number;
  readonly keyId: string;
  readonly method: string;
  /** The path with its query, with possible secrets removed. */
  readonly path: string;
  readonly status: number;
  /** The code of the error body; null when it was answered with success. */
  readonly code: string | null;
  readonly durationMs: number;
  /** JSON with secrets masked; null without a body that could be read. */
  readonly body: string | null;
  /** Whether only the beginning of the JSON is kept. */
  readonly bodyTruncated: boolean;
}

/** A request without its body, which a list does not show. */
export type ListedRequest = Omit<LoggedRequest, 'body' | 'bodyTruncated'>;

/** Newest first; those of one moment in the order of their ids. */
export interface RequestPosition {
  readonly atMs: number;
  readonly requestId: string;
}

export interface RequestFilter {
  /** The first digit of the status. */
  readonly statusClass?: number;
  /** The text that the path contains, in lower case. */
  readonly pathContains?: string;
  readonly fromMs?: number;
  readonly toMs?: number;
  /** The request to start after, in the list. */
  readonly after?: RequestPosition;
  readonly limit: number;
}

export interface RequestPage {
  readonly requests: readonly ListedRequest[];
  /**
   * Where the next page begins; null: that was all. A page looks at a limited number of requests, so it may have fewer than asked
   * for, and another one after it.
   */
  readonly next: RequestPosition | null;
}

export interface RequestLog {
  /** Writes all of them in one statement. A request whose id exists is left out, so a batch may be written again. */
  append(requests: readonly LoggedRequest[]): Promise<void>;
  find(scope: BusinessScope, requestId: string): Promise<LoggedRequest | undefined>;
  list(scope: BusinessScope, filter: RequestFilter): Promise<RequestPage>;
  /** Deletes at most so many that arrived before that time; answers how many. */
  deleteBefore(beforeMs: number, limit: number): Promise<number>;
}
