// The books of the local banks: the true state of every account, payout and credit. A bank pays a reference at most once,
// unless a fault makes it pay twice. The state of a payout follows from its steps and the current time.
import type {
  Credit,
  ForeignAccount,
  JournalEntry,
  LocalRailName,
  OwnAccount,
  Payout,
  PayoutStep,
  Recipient,
  RefusalReason,
} from './entries.ts';
import { openJournal } from './journal.ts';
import { bankByNip } from './known-banks.ts';
import type { Kobo } from './money.ts';
import { inventName } from './names.ts';

export interface PayoutStanding extends PayoutStep {
  readonly since: number;
}

type TopUp = Extract<JournalEntry, { readonly type: 'top-up' }>;

const ACCOUNT = /^\d{10}$/;

export class BankBooks {
  readonly payouts = new Map<string, Payout>();
  readonly credits = new Map<number, Credit>();
  readonly ownAccounts: OwnAccount[] = [];
  readonly recipients: Recipient[] = [];
  readonly notices = new Set<string>();
  /** `open` has the payouts whose state can still change with time. `paid` is the sum of all other payouts from the account. */
  private readonly open = new Set<Payout>();
  private readonly paid = new Map<LocalRailName, Kobo>();
  private readonly foreign = new Map<string, ForeignAccount>();
  private readonly reversals = new Map<string, number>();
  private readonly takenBack = new Map<number, number>();
  private readonly topUps: TopUp[] = [];
  private readonly urls = new Map<string, string | null>();
  private readonly journal: ReturnType<typeof openJournal>;
  readonly now: () => number;
  private serial = 0;

  constructor(file: string, now: () => number) {
    this.now = now;
    this.journal = openJournal(file);
    for (const entry of this.journal.entries) this.apply(entry);
  }

  /** Writes the entry to the disk first, and then to memory. */
  write(entry: JournalEntry): void {
    this.journal.append(entry);
    this.apply(entry);
  }

  close(): void {
    this.journal.close();
  }

  nextId(): number {
    return ++this.serial;
  }

  payout(rail: LocalRailName, reference: string): Payout | undefined {
    return this.payouts.get(keyOf(rail, reference));
  }

  payoutsOf(rail: LocalRailName): Payout[] {
    return [...this.payouts.values()].filter((each) => each.rail === rail);
  }

  creditsOf(rail: LocalRailName): Credit[] {
    return [...this.credits.values()].filter((each) => each.rail === rail);
  }

  history(payout: Payout): PayoutStanding[] {
    const now = this.now();
    const passed = payout.steps
      .map((step) => ({ ...step, since: payout.at + step.afterMs }))
      .filter(({ since }) => since <= now);
    const reversedAt = this.reversals.get(keyOfPayout(payout));
    if (reversedAt === undefined) return passed;
    return [...passed, { afterMs: reversedAt - payout.at, state: 'reversed', since: reversedAt }];
  }

  /** True means that all steps of the payout have passed, so only a reversal can still change it. */
  isOver(payout: Payout): boolean {
    return this.now() >= payout.at + Math.max(...payout.steps.map(({ afterMs }) => afterMs));
  }

  isReversed(payout: Payout): boolean {
    return this.reversals.has(keyOfPayout(payout));
  }

  standing(payout: Payout): PayoutStanding {
    return this.history(payout).at(-1) ?? { afterMs: 0, state: 'pending', since: payout.at };
  }

  isTakenBack(credit: Credit): boolean {
    return this.takenBack.has(credit.id);
  }

  takenBackAt({ id }: Credit): number | undefined {
    return this.takenBack.get(id);
  }

  topUpsOf(rail: LocalRailName): readonly TopUp[] {
    return this.topUps.filter((each) => each.rail === rail);
  }

  /** The balance of the account. Payouts in progress are already subtracted. */
  balance(rail: LocalRailName): Kobo {
    let paid = 0n;
    for (const payout of this.open) {
      if (payout.rail !== rail) continue;
      if (this.isOver(payout)) this.conclude(payout);
      else paid += this.gone(payout);
    }
    const received = this.creditsOf(rail)
      .filter((credit) => !this.isTakenBack(credit))
      .reduce((sum, { amountKobo, feeKobo }) => sum + amountKobo - feeKobo, 0n);
    const putIn = this.topUpsOf(rail).reduce((sum, { amountKobo }) => sum + amountKobo, 0n);
    return putIn + received - (this.paid.get(rail) ?? 0n) - paid;
  }

  /** Adds the payout to a stored sum, so that a balance does not need to read every earlier payout. */
  private conclude(payout: Payout): void {
    this.open.delete(payout);
    this.addPaid(payout.rail, this.gone(payout));
  }

  private gone(payout: Payout): Kobo {
    const charge = this.history(payout).some(({ state }) => state === 'paid') ? payout.chargeKobo : 0n;
    return charge + (hasLeftAccount(this.standing(payout)) ? payout.amountKobo : 0n);
  }

  private addPaid(rail: LocalRailName, amountKobo: Kobo): void {
    this.paid.set(rail, (this.paid.get(rail) ?? 0n) + amountKobo);
  }

  /** Any ten-digit number at a known bank is an account, unless someone has set it as unknown. */
  owner(nip: string, number: string): { ok: true; name: string } | { ok: false; reason: RefusalReason } {
    if (bankByNip(nip) === undefined) return { ok: false, reason: 'unknown-bank' };
    if (!ACCOUNT.test(number)) return { ok: false, reason: 'unknown-account' };
    const own = this.ownAccounts.find((each) => each.nip === nip && each.number === number);
    if (own !== undefined) return { ok: true, name: own.name };
    const known = this.foreign.get(`${nip}/${number}`) ?? this.foreign.get(`*/${number}`);
    if (known === undefined) return { ok: true, name: inventName(nip, number) };
    if (known.state === 'unknown') return { ok: false, reason: 'unknown-account' };
    if (known.state === 'dormant') return { ok: false, reason: 'dormant' };
    return { ok: true, name: known.name };
  }

  url(what: 'webhooks' | 'validation', rail: LocalRailName): string | null {
    return this.urls.get(`${what}/${rail}`) ?? null;
  }

  private apply(entry: JournalEntry): void {
    switch (entry.type) {
      case 'payout':
        this.payouts.set(keyOfPayout(entry.payout), entry.payout);
        this.open.add(entry.payout);
        this.saw(entry.payout.id);
        return;
      case 'reversal':
        this.reverse(entry.rail, entry.reference, entry.at);
        return;
      case 'credit':
        this.credits.set(entry.credit.id, entry.credit);
        this.saw(entry.credit.id);
        return;
      case 'taken-back':
        this.takenBack.set(entry.id, entry.at);
        return;
      case 'top-up':
        this.topUps.push(entry);
        return;
      case 'foreign-account':
        this.foreign.set(`${entry.account.nip}/${entry.account.number}`, entry.account);
        return;
      case 'own-account':
        this.ownAccounts.push(entry.account);
        this.saw(entry.account.id);
        return;
      case 'recipient':
        this.recipients.push(entry.recipient);
        this.saw(entry.recipient.id);
        return;
      case 'webhooks':
      case 'validation':
        this.urls.set(`${entry.type}/${entry.rail}`, entry.url);
        return;
      case 'notice':
        this.notices.add(entry.notice);
    }
  }

  private reverse(rail: LocalRailName, reference: string, at: number): void {
    const payout = this.payout(rail, reference)!;
    if (!this.open.has(payout) && hasLeftAccount(this.standing(payout)))
      this.addPaid(rail, -payout.amountKobo);
    this.reversals.set(keyOf(rail, reference), at);
  }

  private saw(id: number): void {
    this.serial = Math.max(this.serial, id);
  }
}

const hasLeftAccount = ({ state }: PayoutStanding): boolean => state === 'pending' || state === 'paid';
const keyOf = (rail: LocalRailName, reference: string): string => `${rail}/${reference}`;
/** A duplicate payment appears in lists and statements, but a query by its reference never finds it. */
const keyOfPayout = ({ rail, reference, id, isTwin }: Payout): string =>
  isTwin ? `${keyOf(rail, reference)}/${id}` : keyOf(rail, reference);
