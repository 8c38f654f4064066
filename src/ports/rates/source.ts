// Where rates come from outside of the service. A source only reports; what is served is decided from all of them
// (domain/rates/decide-book.ts).
import type { ReportedRate } from '../../domain/rates/reading.ts';

/** `unreachable`: no answer in time. `refused`: an answer that is not a success. `unreadable`: not the documented shape, or too large. */
export type SourceFailureCode = 'unreachable' | 'refused' | 'unreadable';

export class SourceFailure extends Error {
  readonly code: SourceFailureCode;

  constructor(code: SourceFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface RateSource {
  /** As RATES_FILE names it. Never `desk`. */
  readonly name: string;
  /** Which adapter it is, for people. */
  readonly kind: string;
  /** How often it is read while it answers. */
  readonly everyMs: number;
  readonly timeoutMs: number;
  /** Numbers older than this are not used. */
  readonly ageLimitMs: number;
  /** Naira per unit, for the currencies it lists. Throws SourceFailure, with a message that has no secret in it. */
  read(signal: AbortSignal): Promise<readonly ReportedRate[]>;
}
