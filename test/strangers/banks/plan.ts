// The faults of a bank, planned in advance for one account on one rail. Without a plan, the bank pays and reports the truth.
import type { Rail } from './books.ts';

/** The bank's report about an order; `code` is the bank's own word or code. */
export type Verdict =
  | { readonly word: 'paid' }
  | { readonly word: 'pending' }
  | { readonly word: 'not_found' }
  | { readonly word: 'refused'; readonly code: string; readonly reason?: string }
  /** One response with the same key twice: first paid, then refused with this code. */
  | { readonly word: 'both'; readonly code: string };

/** How the response is sent. A held response waits until the client has disconnected, or for this many milliseconds. */
export type Wire = 'whole' | 'cut' | 'error_500' | 'truncated' | 'held' | { readonly heldMs: number };

export interface Notice {
  /** Whether the event is sent while the response is still open, or after it. */
  readonly when: 'open' | 'answered';
  readonly says: 'paid' | 'failed';
  readonly times?: number;
  /** Signed with a key other than the bank's. */
  readonly isForged?: boolean;
}

export interface OrderStep {
  readonly moves: boolean;
  readonly says: Verdict;
  readonly wire?: Wire;
  readonly notices?: readonly Notice[];
}

export interface AskStep {
  /** `truth`: the state in the books. */
  readonly says: Verdict | 'truth';
  readonly wire?: Wire;
  /** The money moves right after this response, although the bank has just reported something else. */
  readonly thenMoves?: boolean;
  /** The amount that is reported instead of the amount of the order. */
  readonly kobo?: bigint;
  readonly notices?: readonly Notice[];
}

export interface Plan {
  /**
   * The steps for the first order, the second order and so on. Further orders are paid, even with a reference that was paid
   * before.
   */
  readonly orders?: readonly OrderStep[];
  /** The steps for the first query, the second query and so on. */
  readonly asks?: readonly AskStep[];
  /** The response to queries after `asks`: the last of them again, or the truth. */
  readonly askedLater?: 'last' | 'truth';
  /** The number of name enquiries about the account that get no response at first. */
  readonly namesAway?: number;
  /** Whether the bank refuses a repeated reference, as it should; otherwise it pays again. */
  readonly refusesRepeats?: boolean;
}

export const PAID: OrderStep = { moves: true, says: { word: 'paid' } };
export const TRUTH: AskStep = { says: 'truth' };

export class Plans {
  /** The number of newest payments that a bank's own list does not show yet. */
  listLag = 0;
  /** The number of next balance queries of a rail that get no response. */
  readonly balanceAway = new Map<Rail, number>();
  readonly #plans = new Map<string, Plan>();

  set(rail: Rail, account: string, plan: Plan): void {
    this.#plans.set(`${rail} ${account}`, plan);
  }

  of(rail: Rail, account: string): Plan {
    return this.#plans.get(`${rail} ${account}`) ?? {};
  }
}
