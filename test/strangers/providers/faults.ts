// Which faults of a provider are on, for what and for how long, how often each changed an answer, and the few
// things every family needs for its faults: a repeatable chance, older answers, and the choice of the entries
// meant.
import type { Json } from './json.ts';
import { type Rules, startWire, type Wire } from './wire.ts';

/** What a fault may be given; a fault reads only what concerns it. */
export interface FaultOptions {
  /** Only the next so many answers that it can change. */
  readonly times?: number;
  /** Only calls, or entries of answers, about this hash, signature, address or account (or one of these). */
  readonly about?: string | readonly string[];
  /** Only calls of this JSON-RPC method; for Horizon an HTTP method or the last word of the path. */
  readonly method?: string;
  /** Only for so many milliseconds from now on. */
  readonly forMs?: number;
  /** By how much: blocks, slots, ledgers, nonces, hours, seconds or base units, as the fault has it. */
  readonly by?: number;
  /** The block, slot or ledger at which the provider seems to stand; goes before `by`. */
  readonly at?: number;
  /** How long `slow` waits. */
  readonly ms?: number;
  /** What is said in place of the truth: a chain id, an address, a hash, an issuer, a host. */
  readonly value?: string;
  /** The text of an error. */
  readonly message?: string;
  /** The key that `doubled_keys` repeats. */
  readonly key?: string;
  /** `too_many` and `html` pass the call on all the same. */
  readonly passedOn?: boolean;
  /** An untrue entry comes next to the real one (true) or in its place (false). */
  readonly extra?: boolean;
  /** What was not asked before the fault began is answered as not there yet. */
  readonly empty?: boolean;
  /** `bad_seq_though_applied` does not wait for a second sending. */
  readonly first?: boolean;
}

/** One fault that is on. */
export interface Use {
  readonly options: FaultOptions;
  /** What this fault chose or froze, so that it stays with it. */
  readonly memo: Map<string, Json>;
}

export interface Provider<Name extends string> {
  readonly url: string;
  /** Switches a fault on, or on anew with other options. */
  use(fault: Name, options?: FaultOptions): void;
  stop(fault: Name): void;
  /** Stops every fault; what was seen stays. */
  clear(): void;
  /** How often each fault has changed an answer, or what was asked for it. */
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

  /** The fault when it is on for calls of one of these methods. */
  on(name: string, methods: readonly string[]): Use | undefined {
    const running = this.#running.get(name);
    if (running === undefined || running.left <= 0 || Date.now() >= running.until) return undefined;
    const { method } = running.options;
    return method === undefined || methods.includes(method) ? running : undefined;
  }

  /** To be called each time a fault has changed something. */
  count(name: string): void {
    const running = this.#running.get(name);
    if (running !== undefined) running.left -= 1;
    this.#seen.set(name, (this.#seen.get(name) ?? 0) + 1);
  }
}

/** Starts the wire with the rules of a family and gives its faults their handles. */
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

/**
 * Whether a text speaks of what the fault is about. Hexadecimal is compared in either case and without its
 * 0x.
 */
export function concerns(use: Use, text: string): boolean {
  const { about } = use.options;
  if (about === undefined) return true;
  const names = typeof about === 'string' ? [about] : about;
  return names.some((name) =>
    name.startsWith('0x') ? text.toLowerCase().includes(name.slice(2).toLowerCase()) : text.includes(name),
  );
}

/** The entries that the fault is about; all of them when only the call as a whole speaks of it. */
export function meant(use: Use, entries: readonly Json[], askedText: string): readonly Json[] {
  const named = entries.filter((entry) => concerns(use, JSON.stringify(entry)));
  return named.length > 0 || !concerns(use, askedText) ? named : entries;
}

/** Numbers from 0 to below 1, the same ones for the same seed. */
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

/** The entries in another order than they came, whenever there are two that differ in place. */
export function shuffled<T>(random: Random, entries: readonly T[]): readonly T[] {
  const order = entries.map((entry) => ({ entry, rank: random() })).sort((a, b) => a.rank - b.rank);
  const mixed = order.map(({ entry }) => entry);
  return mixed.every((entry, at) => entry === entries[at]) ? entries.toReversed() : mixed;
}

/**
 * What was answered to the same question earlier: the memory of a node or cache that has stopped following.
 */
export class Earlier {
  readonly #answers = new Map<string, { readonly before: Json | undefined; readonly now: Json }>();

  learn(question: string, answer: Json): void {
    if (this.#answers.size > 5_000) this.#answers.clear();
    this.#answers.set(question, { before: this.#answers.get(question)?.now, now: answer });
  }

  /** The answer before this one. It stays the same for as long as the fault is on. */
  frozen(question: string, use: Use, unseen?: Json): Json | undefined {
    const known = use.memo.get(question) ?? this.#answers.get(question)?.before ?? unseen;
    const kept = known ?? this.#answers.get(question)?.now;
    if (kept !== undefined) use.memo.set(question, kept);
    return known;
  }
}
