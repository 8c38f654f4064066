// Decides how a bank reacts to an order and to a query. It moves money in the bank's books and reports something true or false.
import type { Books, Order, Payment, Rail } from './books.ts';
import {
  type AskStep,
  type Notice,
  type OrderStep,
  PAID,
  type Plans,
  TRUTH,
  type Verdict,
  type Wire,
} from './plan.ts';

interface Said {
  readonly says: Verdict;
  readonly wire: Wire;
  /** Runs after the response was sent, or when it can no longer be sent. */
  afterwards(): void;
}

interface SaidOfOrder extends Said {
  readonly isRepeat: boolean;
}

interface SaidWhenAsked extends Said {
  /** The order as the bank reports it; undefined if the bank says that it does not know the reference. */
  readonly order: Order | undefined;
}

interface TellerDeps {
  readonly rail: Rail;
  readonly books: Books;
  readonly plans: Plans;
  notify(order: Order, notice: Notice): void;
}

export const OPENING_KOBO = 50_000_000_000n;

export class Teller {
  readonly #deps: TellerDeps;
  /** The last report about each reference. If the bank did not pay the reference, this report is the truth about it. */
  readonly #standing = new Map<string, Verdict>();
  readonly #asked = new Map<string, number>();
  readonly #named = new Map<string, number>();

  constructor(deps: TellerDeps) {
    this.#deps = deps;
  }

  get books(): Books {
    return this.#deps.books;
  }

  take(order: Order): SaidOfOrder {
    const { rail, books, plans } = this.#deps;
    const plan = plans.of(rail, order.account);
    const before = books.ordersTo(order.account, rail).length;
    const isRepeat = books.orderOf(rail, order.reference) !== undefined;
    books.noteOrder(order);
    if (isRepeat && plan.refusesRepeats === true) {
      return { says: { word: 'pending' }, wire: 'whole', isRepeat, afterwards: () => undefined };
    }
    const step: OrderStep = plan.orders?.[before] ?? PAID;
    if (step.moves) books.pay(order);
    this.#standing.set(order.reference, step.says);
    this.#notify(order, step.notices, 'open');
    return {
      says: step.says,
      wire: step.wire ?? 'whole',
      isRepeat: false,
      afterwards: () => this.#notify(order, step.notices, 'answered'),
    };
  }

  answer(reference: string): SaidWhenAsked {
    const { rail, books, plans } = this.#deps;
    books.note(rail, 'status', { reference });
    const order = books.orderOf(rail, reference);
    if (order === undefined) {
      return { says: { word: 'not_found' }, wire: 'whole', order, afterwards: () => undefined };
    }
    const plan = plans.of(rail, order.account);
    const times = this.#asked.get(reference) ?? 0;
    this.#asked.set(reference, times + 1);
    const last = plan.askedLater === 'truth' ? TRUTH : (plan.asks?.at(-1) ?? TRUTH);
    const step: AskStep = plan.asks?.[times] ?? last;
    const says = step.says === 'truth' ? this.#truth(reference) : step.says;
    return {
      says,
      wire: step.wire ?? 'whole',
      order: says.word === 'not_found' ? undefined : { ...order, kobo: step.kobo ?? order.kobo },
      afterwards: () => {
        if (step.thenMoves === true && !books.isPaid(rail, reference)) books.pay(order);
        this.#notify(order, step.notices, 'answered');
      },
    };
  }

  knowsName(account: string): boolean {
    const { rail, books, plans } = this.#deps;
    books.note(rail, 'name', { account });
    const times = this.#named.get(account) ?? 0;
    this.#named.set(account, times + 1);
    return times >= (plans.of(rail, account).namesAway ?? 0);
  }

  /** The balance of the account; null while the bank cannot report it. */
  balance(): bigint | null {
    const { rail, books, plans } = this.#deps;
    books.note(rail, 'balance');
    const away = plans.balanceAway.get(rail) ?? 0;
    plans.balanceAway.set(rail, Math.max(0, away - 1));
    return away > 0 ? null : this.#paid().reduce((left, { kobo }) => left - kobo, OPENING_KOBO);
  }

  list(): readonly Payment[] {
    const { rail, books, plans } = this.#deps;
    books.note(rail, 'list');
    return this.#paid().toReversed().slice(plans.listLag);
  }

  #paid(): readonly Payment[] {
    return this.books.payments.filter(({ rail }) => rail === this.#deps.rail);
  }

  #truth(reference: string): Verdict {
    if (this.books.isPaid(this.#deps.rail, reference)) return { word: 'paid' };
    const standing = this.#standing.get(reference) ?? { word: 'not_found' };
    return standing.word === 'paid' || standing.word === 'both' ? { word: 'not_found' } : standing;
  }

  #notify(order: Order, notices: readonly Notice[] | undefined, when: Notice['when']): void {
    for (const notice of notices ?? []) if (notice.when === when) this.#deps.notify(order, notice);
  }
}
