// The webhooks of the local banks. The books determine what a bank must report, and a journal entry records each confirmed
// webhook. After a restart, a bank sends every webhook that the receiver has not confirmed. Retries are as many seconds apart
// as the retries of real providers are minutes apart.
import type { BankBooks, PayoutStanding } from '../books/books.ts';
import { type Credit, type LocalRailName, type Payout, RAILS } from '../books/entries.ts';
import type { Faults } from '../faults/faults.ts';
import { NOTICE_FAULTS } from '../faults/kinds.ts';

export type ReportedEvent =
  | { readonly type: 'payout'; readonly payout: Payout; readonly standing: PayoutStanding }
  | { readonly type: 'credit'; readonly credit: Credit };

export interface WebhookMessage {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface WebhookReporter {
  /** Undefined means that this provider does not report this event. */
  message(happening: ReportedEvent): WebhookMessage | undefined;
  /** True means that the receiver has accepted the webhook. Otherwise the bank sends it again. */
  isTaken(status: number, text: string): boolean;
}

interface WaitingWebhook {
  readonly id: string;
  readonly rail: LocalRailName;
  readonly message: WebhookMessage;
  attempts: number;
  copies: number;
  nextAt: number;
}

const RETRY_SECONDS = [3, 3, 3, 3, 60, 60, 60, 60];
const PATIENCE_MS = 5_000;
const LATE_SECONDS = 10;

export class BankWebhooks {
  private readonly waiting = new Map<string, WaitingWebhook>();
  private readonly books: BankBooks;
  private readonly faults: Faults;
  private readonly reporters: Readonly<Record<LocalRailName, WebhookReporter>>;
  /** Payouts whose events were all collected. Most payouts are among them, and the bank does not read them again. */
  private readonly quiet = new Set<Payout>();
  private readonly stop = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(books: BankBooks, faults: Faults, reporters: Readonly<Record<LocalRailName, WebhookReporter>>) {
    this.books = books;
    this.faults = faults;
    this.reporters = reporters;
  }

  /** Sends every webhook that is due now, one after the other. */
  settle(): Promise<void> {
    this.running = this.running.then(() => this.round());
    return this.running;
  }

  /** Reports a credit once more, because the receiver requested it. */
  again(credit: Credit): void {
    const message = this.reporters[credit.rail].message({ type: 'credit', credit });
    if (message === undefined || this.books.url('webhooks', credit.rail) === null) return;
    const id = `${creditNoticeId(credit)}/again/${this.books.now()}`;
    this.waiting.set(id, {
      id,
      rail: credit.rail,
      message,
      attempts: 0,
      copies: 1,
      nextAt: this.books.now(),
    });
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.running;
  }

  private async round(): Promise<void> {
    this.collect();
    const now = this.books.now();
    const due = [...this.waiting.values()].filter(({ nextAt }) => nextAt <= now);
    // The rails are served in parallel, so a receiver that is slow for one rail delays only that rail.
    await Promise.all(RAILS.map((rail) => this.deliverAll(due.filter((each) => each.rail === rail))));
  }

  private async deliverAll(due: readonly WaitingWebhook[]): Promise<void> {
    for (const each of due) {
      if (this.stop.signal.aborted) return;
      await this.deliver(each);
    }
  }

  private collect(): void {
    const { books } = this;
    for (const payout of books.payouts.values()) {
      if (this.quiet.has(payout) && !books.isReversed(payout)) continue;
      if (books.isOver(payout)) this.quiet.add(payout);
      for (const standing of books.history(payout)) {
        if (standing.state === 'pending') continue;
        const id = `payout/${payout.rail}/${payout.reference}/${standing.state}/${standing.since}`;
        if (this.isNew(id)) this.enqueue(id, payout.rail, { type: 'payout', payout, standing });
      }
    }
    for (const credit of books.credits.values()) {
      const id = creditNoticeId(credit);
      if (this.isNew(id)) this.enqueue(id, credit.rail, { type: 'credit', credit });
    }
  }

  private isNew(id: string): boolean {
    return !this.books.notices.has(id) && !this.waiting.has(id);
  }

  private enqueue(id: string, rail: LocalRailName, happening: ReportedEvent): void {
    const { books } = this;
    const message = this.reporters[rail].message(happening);
    if (message === undefined) {
      // The provider never reports this event, so the journal needs no entry.
      books.notices.add(id);
      return;
    }
    if (books.url('webhooks', rail) === null) {
      books.write({ type: 'notice', notice: id, how: 'no-url' });
      return;
    }
    const subject =
      happening.type === 'payout'
        ? { reference: happening.payout.reference, account: happening.payout.number }
        : { reference: happening.credit.reference, account: happening.credit.account };
    const fault = this.faults.take(NOTICE_FAULTS, { rail, operation: 'webhook', ...subject });
    if (fault?.kind === 'webhook-lost') {
      books.write({ type: 'notice', notice: id, how: 'lost' });
      return;
    }
    const late = fault?.kind === 'webhook-late' ? (fault.seconds ?? LATE_SECONDS) * 1_000 : 0;
    const copies = fault?.kind === 'webhook-twice' ? 2 : 1;
    this.waiting.set(id, { id, rail, message, attempts: 0, copies, nextAt: books.now() + late });
  }

  private async deliver(each: WaitingWebhook): Promise<void> {
    const url = this.books.url('webhooks', each.rail);
    if (url === null) return this.end(each, 'no-url');
    const isTaken = await this.post(url, each);
    if (this.stop.signal.aborted) return;
    if (!isTaken) {
      const wait = RETRY_SECONDS[each.attempts++];
      if (wait === undefined) return this.end(each, 'given-up');
      each.nextAt = this.books.now() + wait * 1_000;
      return;
    }
    if (--each.copies > 0) return this.deliver(each);
    this.end(each, 'delivered');
  }

  private async post(url: string, { message, rail }: WaitingWebhook): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        body: message.text,
        headers: { 'content-type': 'application/json', ...message.headers },
        signal: AbortSignal.any([this.stop.signal, AbortSignal.timeout(PATIENCE_MS)]),
      });
      return this.reporters[rail].isTaken(response.status, await response.text());
    } catch {
      return false;
    }
  }

  private end(each: WaitingWebhook, how: 'delivered' | 'no-url' | 'given-up'): void {
    this.waiting.delete(each.id);
    this.books.write({ type: 'notice', notice: each.id, how });
  }
}

const creditNoticeId = ({ rail, id }: Credit): string => `credit/${rail}/${id}`;
