// Controls which faults of a provider are active, what they affect and for how long, and counts how often each fault changed a
// response. Also contains the common parts of all families: repeatable randomness, older responses, and the selection of the
// affected entries.
import type { Json } from './json.ts';
import { type Rules, startWire, type Wire } from './wire.ts';

/** The options of a fault. A fault reads only the options that it uses. */
export interface FaultOptions {
  /** The fault changes only this many of the next responses that it can change. */
  readonly times?: number;
  /**
   * The fault affects only calls, or entries of responses, about this hash, signature, address or account, or about one of
   * several.
   */
  readonly about?: string | readonly string[];
  /**
   * The fault affects only calls of this JSON-RPC method. For Horizon, this is an HTTP method or the last segment of the path.
   */
  readonly method?: string;
  /** The fault is active only for this many milliseconds from now on. */
  readonly forMs?: number;
  /** The size of the error in blocks, slots, ledgers, nonces, hours, seconds or base units, depending on the fault. */
  readonly by?: number;
  /** The block, slot or ledger that the provider reports as its own. It takes precedence over `by`. */
  readonly at?: number;
  readonly ms?: number;
  /** The false value: a chain id, an address, a hash, an issuer or a host. */
  readonly value?: string;
  readonly message?: string;
  readonly key?: string;
  /** Whether `too_many` and `html` forward the call anyway. */
  readonly passedOn?: boolean;
  /** True: a false entry is added after the real one. False: it replaces the real one. */
  readonly extra?: boolean;
  /** If true, the provider reports data as missing if the client did not request this data before the fault began. */
  readonly empty?: boolean;
  /** If true, `bad_seq_though_applied` affects the first submission already and does not wait for a second one. */
  readonly first?: boolean;
}

export interface Use {
  readonly options: FaultOptions;
  /** The data that this fault has selected or frozen, so that the data does not change while the fault is active. */
  readonly memo: Map<string, Json>;
}

export interface Provider<Name extends string> {
  readonly url: string;
  use(fault: Name, options?: FaultOptions): void;
  stop(fault: Name): void;
  /** Stops every fault and keeps the counts. */
  clear(): void;
  seen(): Readonly<Record<Name, number>>;
  close(): Promise<void>;
}

export type Random = () => number;

interface Running extends Use {
  left: number;
  readonly until: number;
}

export class Faults {
  readonly #running = new Map<string, Running>();
  readonly #seen: Map<string, number>;

  constructor(names: readonly string[]) {
    this.#seen = new Map(names.map((name) => [name, 0]));
  }

  use(name: string, options: FaultOptions = {}): void {
    if (!this.#seen.has(name)) throw new Error(`No such fault: ${name}`);
    const until = options.forMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + options.forMs;
    this.#running.set(name, { options, memo: new Map(), left: options.times ?? Infinity, until });
  }

  stop(name: string): void {
    this.#running.delete(name);
  }

  clear(): void {
    this.#running.clear();
  }

  seen(): Record<string, number> {
    return Object.fromEntries(this.#seen);
  }

  on(name: string, methods: readonly string[]): Use | undefined {
    const running = this.#running.get(name);
    if (running === undefined || running.left <= 0 || Date.now() >= running.until) return undefined;
    const { method } = running.options;
    return method === undefined || methods.includes(method) ? running : undefined;
  }

  count(name: string): void {
    const running = this.#running.get(name);
    if (running !== undefined) running.left -= 1;
    this.#seen.set(name, (this.#seen.get(name) ?? 0) + 1);
  }
}

export async function startProvider<Name extends string>(
  upstream: string,
  faults: Faults,
  rules: Rules,
): Promise<Provider<Name>> {
  const wire: Wire = await startWire({ upstream, rules });
  return {
    url: wire.url,
    use: (fault, options) => faults.use(fault, options),
    stop: (fault) => faults.stop(fault),
    clear: () => faults.clear(),
    seen: () => faults.seen() as Record<Name, number>,
    close: () => wire.close(),
  };
}

/** Whether a text contains what the fault is about. Hexadecimal text is compared without regard to case and without its 0x. */
export function concerns(use: Use, text: string): boolean {
  const { about } = use.options;
  if (about === undefined) return true;
  const names = typeof about === 'string' ? [about] : about;
  return names.some((name) =>
    name.startsWith('0x') ? text.toLowerCase().includes(name.slice(2).toLowerCase()) : text.includes(name),
  );
}

/**
 * Returns the entries that the fault is about. If no entry names the subject of the fault but the call does, it returns all
 * entries.
 */
export function meant(use: Use, entries: readonly Json[], askedText: string): readonly Json[] {
  const named = entries.filter((entry) => concerns(use, JSON.stringify(entry)));
  return named.length > 0 || !concerns(use, askedText) ? named : entries;
}

/** Returns random numbers from 0 up to, but not including, 1. The same seed gives the same numbers. */
export function seeded(seed = 1): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: Random, from: readonly T[]): T | undefined {
  return from[Math.floor(random() * from.length)];
}

export function shuffled<T>(random: Random, entries: readonly T[]): readonly T[] {
  const order = entries.map((entry) => ({ entry, rank: random() })).sort((a, b) => a.rank - b.rank);
  const mixed = order.map(({ entry }) => entry);
  return mixed.every((entry, at) => entry === entries[at]) ? entries.toReversed() : mixed;
}

/** Remembers earlier responses to the same request, as a node or cache that no longer follows the chain would return them. */
export class Earlier {
  readonly #answers = new Map<string, { readonly before: Json | undefined; readonly now: Json }>();

  learn(question: string, answer: Json): void {
    if (this.#answers.size > 5_000) this.#answers.clear();
    this.#answers.set(question, { before: this.#answers.get(question)?.now, now: answer });
  }

  /** Returns the response before the current one. It stays the same while the fault is active. */
  frozen(question: string, use: Use, unseen?: Json): Json | undefined {
    const known = use.memo.get(question) ?? this.#answers.get(question)?.before ?? unseen;
    const kept = known ?? this.#answers.get(question)?.now;
    if (kept !== undefined) use.memo.set(question, kept);
    return known;
  }
}
