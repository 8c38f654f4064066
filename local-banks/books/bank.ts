// The behaviour that all local banks share. A bank knows the owners of accounts, accepts a payout once for each reference, and
// accepts payments of customers. A fault changes the outcome of a payout, never the way in which it is stored.
import type { Faults } from '../faults/faults.ts';
import { ACCOUNT_FAULTS, type BankFault, MONEY_FAULTS, OUTCOME_FAULTS } from '../faults/kinds.ts';
import type { BankBooks } from './books.ts';
import type {
  Credit,
  CreditPayer,
  LocalRailName,
  Payout,
  PayoutState,
  PayoutStep,
  RefusalReason,
} from './entries.ts';
import { lagosTime, makeSessionId } from './identifiers.ts';
import { type Kobo, parseNairaAsKobo } from './money.ts';
import { inventName, isSameName } from './names.ts';

export interface TransferOrder {
  readonly rail: LocalRailName;
  readonly reference: string;
  readonly amountKobo: Kobo;
  readonly nip: string;
  readonly number: string;
  readonly name: string;
  readonly narration: string;
}

export interface ProviderManners {
  /** The institution that appears as the sender in NIP transfers of this provider. */
  readonly senderNip: string;
  readonly paid: readonly PayoutStep[];
  refused(reason: RefusalReason): readonly PayoutStep[];
  /** The state that each status word of this provider means. The fault `word` uses it. */
  readonly words: Readonly<Record<string, PayoutState>>;
}

export interface IncomingPayment {
  readonly rail: LocalRailName;
  readonly account: string;
  readonly amountKobo: Kobo;
  readonly dueKobo?: Kobo;
  readonly feeKobo: Kobo;
  readonly payer: CreditPayer;
  readonly narration: string;
}

const WAIT_SECONDS = 10;

export class BankCore {
  readonly books: BankBooks;
  readonly faults: Faults;
  private readonly charge: (rail: LocalRailName, amountKobo: Kobo) => Kobo;

  constructor(
    books: BankBooks,
    faults: Faults,
    charge: (rail: LocalRailName, amountKobo: Kobo) => Kobo = () => 0n,
  ) {
    this.books = books;
    this.faults = faults;
    this.charge = charge;
  }

  enquire(rail: LocalRailName, nip: string, number: string): ReturnType<BankBooks['owner']> {
    const fault = this.faults.take(ACCOUNT_FAULTS, { rail, operation: 'name', account: number });
    const owner = this.books.owner(nip, number);
    if (fault === undefined || !owner.ok) return owner;
    if (fault.kind !== 'name-differs') return { ok: false, reason: reasonOf(fault) };
    return { ok: true, name: fault.value ?? inventName(`other/${nip}`, number) };
  }

  /** Returns why the bank cannot execute this order. Undefined means that it can. */
  refusal(
    order: TransferOrder,
    { comparesName }: { readonly comparesName: boolean },
  ): RefusalReason | undefined {
    const { rail, reference, nip, number, name, amountKobo } = order;
    const asked = { rail, operation: 'pay', account: number, reference } as const;
    const fault = this.faults.take([...ACCOUNT_FAULTS, ...MONEY_FAULTS], asked);
    if (fault !== undefined) return reasonOf(fault);
    const owner = this.books.owner(nip, number);
    if (!owner.ok) return owner.reason;
    if (comparesName && !isSameName(owner.name, name)) return 'name-differs';
    const needed = amountKobo + this.charge(rail, amountKobo);
    return needed > this.books.balance(rail) ? 'insufficient' : undefined;
  }

  /** Accepts the order and writes it to the journal before it returns. The caller has checked that the reference is new. */
  send(order: TransferOrder, ways: ProviderManners, reason: RefusalReason | undefined): Payout {
    const { books } = this;
    const known = books.payout(order.rail, order.reference);
    if (known !== undefined) throw new Error(`${order.rail} has paid ${order.reference} already`);
    const asked = { rail: order.rail, operation: 'pay', account: order.number } as const;
    const fault =
      reason === undefined
        ? this.faults.take(OUTCOME_FAULTS, { ...asked, reference: order.reference })
        : undefined;
    const [at, id] = [books.now(), books.nextId()];
    const payout: Payout = {
      ...order,
      chargeKobo: this.charge(order.rail, order.amountKobo),
      id,
      at,
      sessionId: makeSessionId(ways.senderNip, at, id),
      steps: reason === undefined ? payoutStepsOf(fault, ways) : ways.refused(reason),
      hiddenMs: fault?.kind === 'hidden' ? delayMsOf(fault) : 0,
    };
    books.write({ type: 'payout', payout });
    if (fault?.kind === 'paid-twice') {
      const twinId = books.nextId();
      const twin = {
        ...payout,
        id: twinId,
        sessionId: makeSessionId(ways.senderNip, at, twinId),
        isTwin: true,
      } as const;
      books.write({ type: 'payout', payout: twin });
    }
    return payout;
  }

  /** The payouts that a list shows. A fault may make the list lag behind the books of the bank. */
  listPayouts(rail: LocalRailName): Payout[] {
    const fault = this.faults.take(['list-lags'], { rail, operation: 'payouts' });
    const untilMs = fault === undefined ? Number.POSITIVE_INFINITY : this.books.now() - delayMsOf(fault);
    return this.books.payoutsOf(rail).filter(({ at }) => at <= untilMs);
  }

  /** The balance that a response shows. A fault may set another balance, or may leave out the payouts of the last seconds. */
  shownBalance(rail: LocalRailName, account?: string): Kobo {
    const { books } = this;
    const fault = this.faults.take(['wrong-balance', 'balance-lags'], {
      rail,
      operation: 'balance',
      account,
    });
    if (fault?.kind === 'wrong-balance') return parseNairaAsKobo(fault.value) ?? books.balance(rail);
    if (fault === undefined) return books.balance(rail);
    const fromMs = books.now() - delayMsOf(fault);
    const unseen = books.payoutsOf(rail).filter((each) => {
      const { state } = books.standing(each);
      return each.at > fromMs && (state === 'pending' || state === 'paid');
    });
    return unseen.reduce((sum, { amountKobo }) => sum + amountKobo, books.balance(rail));
  }

  /**
   * A status query. A payout that the bank does not find may still be in progress. A fault can choose the code for "not found".
   */
  lookUp(
    rail: LocalRailName,
    reference: string,
  ): { found: Payout } | { found: undefined; code: string | undefined } {
    const payout = this.books.payout(rail, reference);
    const asked = { rail, operation: 'status', reference, account: payout?.number } as const;
    const fault = this.faults.take(['not-found'], asked);
    if (payout === undefined || fault !== undefined) return { found: undefined, code: fault?.value };
    const isHidden = this.books.now() < payout.at + payout.hiddenMs;
    return isHidden ? { found: undefined, code: undefined } : { found: payout };
  }

  receive(incoming: IncomingPayment): Credit {
    const { books } = this;
    const [at, id] = [books.now(), books.nextId()];
    const serial = String(id).padStart(6, '0');
    const time = lagosTime(at).toISOString().replaceAll(/\D/g, '').slice(0, 14);
    const reference = {
      providus: '',
      paystack: `${time}${serial}`,
      monnify: `MNFY|04|${time}|${serial}`,
    }[incoming.rail];
    const settlementId = `${time}${String(id).padStart(9, '0')}`;
    const credit = { ...incoming, id, at, reference, settlementId };
    const full: Credit = { ...credit, sessionId: makeSessionId(incoming.payer.nip, at, id) };
    books.write({ type: 'credit', credit: full });
    return full;
  }
}

function reasonOf({ kind }: BankFault): RefusalReason {
  switch (kind) {
    case 'unknown-account':
    case 'dormant':
    case 'name-differs':
    case 'bank-unavailable':
    case 'insufficient':
    case 'limit':
      return kind;
    default:
      return 'refused';
  }
}

function payoutStepsOf(fault: BankFault | undefined, ways: ProviderManners): readonly PayoutStep[] {
  if (fault === undefined) return ways.paid;
  const later = delayMsOf(fault);
  const refused = ways.refused('refused');
  switch (fault.kind) {
    case 'in-progress-then-success':
      return [
        { afterMs: 0, state: 'pending' },
        { afterMs: later, state: 'paid' },
      ];
    case 'in-progress-then-failure':
      return [
        { afterMs: 0, state: 'pending' },
        { afterMs: later, state: 'failed', reason: 'refused' },
      ];
    case 'success-then-reversed':
      return [...ways.paid, { afterMs: lastStepMs(ways.paid) + later, state: 'reversed' }];
    case 'failed-then-success':
      return [...refused, { afterMs: lastStepMs(refused) + later, state: 'paid' }];
    case 'word': {
      const word = fault.value ?? '';
      const step = { afterMs: 0, state: ways.words[word] ?? 'pending', word } as const;
      return fault.seconds === undefined ? [step] : [step, { afterMs: later, state: 'paid' }];
    }
    case 'refused':
      return refused;
    default:
      return ways.paid;
  }
}

const lastStepMs = (steps: readonly PayoutStep[]): number => steps.at(-1)?.afterMs ?? 0;
const delayMsOf = ({ seconds = WAIT_SECONDS }: BankFault): number => seconds * 1_000;
