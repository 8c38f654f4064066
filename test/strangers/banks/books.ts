// The books of a bank that was written only from public documentation: what the bank really paid, and every call that it
// received. A test checks only these books and not the service's responses.

export const RAILS = ['providus', 'paystack', 'monnify'] as const;
export type Rail = (typeof RAILS)[number];

export interface Order {
  readonly rail: Rail;
  readonly reference: string;
  readonly account: string;
  readonly kobo: bigint;
}

export interface Payment extends Order {
  readonly at: number;
}

type CallKind = 'login' | 'name' | 'recipient' | 'order' | 'status' | 'balance' | 'list' | 'credits';

interface Call {
  readonly rail: Rail;
  readonly kind: CallKind;
  readonly reference: string | null;
  readonly account: string | null;
  readonly at: number;
}

export class Books {
  readonly payments: Payment[] = [];
  readonly calls: Call[] = [];
  readonly unknown = new Set<string>();
  /** The latest order of each reference. The key is the rail and the reference. */
  readonly #orders = new Map<string, Order>();

  note(rail: Rail, kind: CallKind, about: { reference?: string; account?: string } = {}): void {
    const { reference = null, account = null } = about;
    this.calls.push({ rail, kind, reference, account, at: performance.now() });
  }

  noteOrder(order: Order): void {
    this.note(order.rail, 'order', order);
    this.#orders.set(`${order.rail} ${order.reference}`, order);
  }

  /** The orders to this account so far, on one rail, or on all rails if `rail` is undefined. */
  ordersTo(account: string, rail?: Rail): readonly Call[] {
    return this.calls.filter(
      (call) =>
        call.kind === 'order' && call.account === account && (rail === undefined || call.rail === rail),
    );
  }

  orderOf(rail: Rail, reference: string): Order | undefined {
    return this.#orders.get(`${rail} ${reference}`);
  }

  pay(order: Order): void {
    this.payments.push({ ...order, at: performance.now() });
  }

  isPaid(rail: Rail, reference: string): boolean {
    return this.payments.some((payment) => payment.rail === rail && payment.reference === reference);
  }

  paidTo(account: string): readonly Payment[] {
    return this.payments.filter((payment) => payment.account === account);
  }

  asksAbout(account: string): readonly Call[] {
    const references = new Set(this.ordersTo(account).map(({ rail, reference }) => `${rail} ${reference}`));
    return this.calls.filter(
      ({ kind, rail, reference }) => kind === 'status' && references.has(`${rail} ${reference}`),
    );
  }
}

/** Converts a decimal text of naira, such as `2000.45`, to kobo. */
export function koboOfNaira(text: string): bigint {
  const [, whole, part = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new Error(`no amount of naira: ${text}`);
  return BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'));
}

export function nairaOf(kobo: bigint): string {
  const digits = kobo.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
