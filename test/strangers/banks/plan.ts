// Describes the faults of a bank, planned in advance for one account on one rail. Without a plan, the bank pays and reports the
// truth.
import type { Rail } from './books.ts';

/** The bank's report about an order. `code` is the bank's own word or code. */
export type Verdict =
  | { readonly word: 'paid' }
  | { readonly word: 'pending' }
  | { readonly word: 'not_found' }
  | { readonly word: 'refused'; readonly code: string; readonly reason?: string }
  /** The response has the same key twice: its first value means paid, and its second value means refused with this code. */
  | { readonly word: 'both'; readonly code: string };

/** How the bank sends the response. A held response waits until the client has disconnected, or for this many milliseconds. */
export type Wire = 'whole' | 'cut' | 'error_500' | 'truncated' | 'held' | { readonly heldMs: number };

export interface Notice {
  /** Whether the bank sends the event while the response is still open, or after the response. */
  readonly when: 'open' | 'answered';
  readonly says: 'paid' | 'failed';
  readonly times?: number;
  /** Whether another key than the bank's signs the event. */
  readonly isForged?: boolean;
}

export interface OrderStep {
  readonly moves: boolean;
  readonly says: Verdict;
  readonly wire?: Wire;
  readonly notices?: readonly Notice[];
}

export interface AskStep {
  /** `truth`: the bank reports the state in its books. */
  readonly says: Verdict | 'truth';
  readonly wire?: Wire;
  /** If true, the money moves right after this response, although the bank has just reported something else. */
  readonly thenMoves?: boolean;
  readonly kobo?: bigint;
  readonly notices?: readonly Notice[];
}

export interface Plan {
  /**
   * The steps for the first order, the second order and so on. The bank pays every further order, even with a reference that it
   * paid before.
   */
  readonly orders?: readonly OrderStep[];
  readonly asks?: readonly AskStep[];
  /** The response to every query after `asks`: `last` repeats the last step, and `truth` reports the state in the books. */
  readonly askedLater?: 'last' | 'truth';
  readonly namesAway?: number;
  readonly refusesRepeats?: boolean;
}

export const PAID: OrderStep = { moves: true, says: { word: 'paid' } };
export const TRUTH: AskStep = { says: 'truth' };

export class Plans {
  /** The number of newest payments that a bank's own list does not show yet. */
  listLag = 0;
  readonly balanceAway = new Map<Rail, number>();
  readonly #plans = new Map<string, Plan>();

  set(rail: Rail, account: string, plan: Plan): void {
    this.#plans.set(`${rail} ${account}`, plan);
  }

  of(rail: Rail, account: string): Plan {
    return this.#plans.get(`${rail} ${account}`) ?? {};
  }
}
