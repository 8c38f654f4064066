// The faults of a bank, planned in advance for one account at one rail. Without a plan it pays, reports that, and answers
// truthfully.
import type { Rail } from './books.ts';

/** The bank's report about an order; `code` is the bank's own word or code. */
export type Verdict =
  | { readonly word: 'paid' }
  | { readonly word: 'pending' }
  | { readonly word: 'not_found' }
  | { readonly word: 'refused'; readonly code: string; readonly reason?: string }
  /** One answer with the same key twice: first paid, then refused with this code. */
  | { readonly word: 'both'; readonly code: string };

/** How the answer is sent. A held answer waits until the client has disconnected, or for this many milliseconds. */
export type Wire = 'whole' | 'cut' | 'error_500' | 'truncated' | 'held' | { readonly heldMs: number };

export interface Notice {
  /** While the answer is still open, or after it. */
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
  /** The money moves right after this answer, although the bank has just reported something else. */
  readonly thenMoves?: boolean;
  /** Reported instead of the amount of the order. */
  readonly kobo?: bigint;
  readonly notices?: readonly Notice[];
}

export interface Plan {
  /** For the first order, the second and so on. Further orders are paid, even with a reference that was paid before. */
  readonly orders?: readonly OrderStep[];
  /** For the first query, the second and so on. */
  readonly asks?: readonly AskStep[];
  /** The answer to queries after `asks`: the last of them again, or the truth. */
  readonly askedLater?: 'last' | 'truth';
  /** How many of the first name enquiries about the account get no answer. */
  readonly namesAway?: number;
  /** The reference is refused when it is repeated, as a bank should; otherwise it is paid again. */
  readonly refusesRepeats?: boolean;
}

export const PAID: OrderStep = { moves: true, says: { word: 'paid' } };
export const TRUTH: AskStep = { says: 'truth' };

export class Plans {
  /** How many of the newest payments a bank's own list does not show yet. */
  listLag = 0;
  /** How many of the next balance queries of a rail get no answer. */
  readonly balanceAway = new Map<Rail, number>();
  readonly #plans = new Map<string, Plan>();

  set(rail: Rail, account: string, plan: Plan): void {
    this.#plans.set(`${rail} ${account}`, plan);
  }

  of(rail: Rail, account: string): Plan {
    return this.#plans.get(`${rail} ${account}`) ?? {};
  }
}
