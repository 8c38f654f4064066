// Which faults of a provider are active, for what and for how long, and how often each changed a response. Also the common parts
// of all families' faults: repeatable randomness, older responses, and the selection of the affected entries.
import type { Json } from './json.ts';
import { type Rules, startWire, type Wire } from './wire.ts';

/** The options of a fault; a fault reads only the options that it uses. */
export interface FaultOptions {
  /** Changes only this many of the next responses that it can change. */
  readonly times?: number;
  /** Only calls, or entries of responses, about this hash, signature, address or account (or one of these). */
  readonly about?: string | readonly string[];
  /** Only calls of this JSON-RPC method; for Horizon an HTTP method or the last segment of the path. */
  readonly method?: string;
  /** Only for this many milliseconds from now on. */
  readonly forMs?: number;
  /** By how much: blocks, slots, ledgers, nonces, hours, seconds or base units, depending on the fault. */
  readonly by?: number;
  /** The block, slot or ledger that the provider reports as its own; takes precedence over `by`. */
  readonly at?: number;
  /** How long `slow` waits. */
  readonly ms?: number;
  /** The false value: a chain id, an address, a hash, an issuer, a host. */
  readonly value?: string;
  /** The text of an error. */
  readonly message?: string;
  /** The key that `doubled_keys` repeats. */
  readonly key?: string;
  /** `too_many` and `html` forward the call anyway. */
  readonly passedOn?: boolean;
  /** True: a false entry is added after the real one. False: it replaces the real one. */
  readonly extra?: boolean;
  /** Data that was not requested before the fault began is reported as missing. */
  readonly empty?: boolean;
  /** `bad_seq_though_applied` does not wait for a second submission. */
  readonly first?: boolean;
}

/** One active fault. */
export interface Use {
  readonly options: FaultOptions;
  /** What this fault has selected or frozen, so that it does not change. */
  readonly memo: Map<string, Json>;
}

export interface Provider<Name extends string> {
  readonly url: string;
  /** Activates a fault, or changes its options. */
  use(fault: Name, options?: FaultOptions): void;
  stop(fault: Name): void;
  /** Stops every fault; the counts are kept. */
  clear(): void;
  /** How often each fault has changed a response or a request. */
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

  /** The fault if it is active for calls of one of these methods. */
  on(name: string, methods: readonly string[]): Use | undefined {
    const running = this.#running.get(name);
    if (running === undefined || running.left <= 0 || Date.now() >= running.until) return undefined;
    const { method } = running.options;
    return method === undefined || methods.includes(method) ? running : undefined;
  }

  /** Called each time a fault has changed something. */
  count(name: string): void {
    const running = this.#running.get(name);
    if (running !== undefined) running.left -= 1;
    this.#seen.set(name, (this.#seen.get(name) ?? 0) + 1);
  }
}

/** Starts the server with the rules of a family and returns the controls of its faults. */
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

/** The entries that the fault is about; all entries if only the call names what it is about. */
export function meant(use: Use, entries: readonly Json[], askedText: string): readonly Json[] {
  const named = entries.filter((entry) => concerns(use, JSON.stringify(entry)));
  return named.length > 0 || !concerns(use, askedText) ? named : entries;
}

/** Numbers from 0 up to, but not including, 1; the same for the same seed. */
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

/** The entries in a different order, if at least two entries differ. */
export function shuffled<T>(random: Random, entries: readonly T[]): readonly T[] {
  const order = entries.map((entry) => ({ entry, rank: random() })).sort((a, b) => a.rank - b.rank);
  const mixed = order.map(({ entry }) => entry);
  return mixed.every((entry, at) => entry === entries[at]) ? entries.toReversed() : mixed;
}

/** Earlier responses to the same request: the memory of a node or cache that no longer follows the chain. */
export class Earlier {
  readonly #answers = new Map<string, { readonly before: Json | undefined; readonly now: Json }>();

  learn(question: string, answer: Json): void {
    if (this.#answers.size > 5_000) this.#answers.clear();
    this.#answers.set(question, { before: this.#answers.get(question)?.now, now: answer });
  }

  /** The response before the current one. It stays the same while the fault is active. */
  frozen(question: string, use: Use, unseen?: Json): Json | undefined {
    const known = use.memo.get(question) ?? this.#answers.get(question)?.before ?? unseen;
    const kept = known ?? this.#answers.get(question)?.now;
    if (kept !== undefined) use.memo.set(question, kept);
    return known;
  }
}
