// The faults between a client and a provider, on demand. A fault is for one provider or both, for the next few requests or
// until a test clears it. The ledger itself is correct. Only responses are lost, late or false.
import type { LagPath, LagServers } from '../lag.ts';
import type { StellarEnvelope } from './envelope.ts';

export type StellarFault =
  /** The provider accepts a submission, but the connection is cut instead of a response. */
  | { readonly kind: 'lost_answer' }
  /** The provider accepts a submission and it lands later, but the response is a 504. */
  | { readonly kind: 'timeout_but_lands' }
  /** The provider reports a submission as accepted, but the submission never reaches a ledger. */
  | { readonly kind: 'drop' }
  /** The connection is cut before the provider processes the request. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'status'; readonly status: 429 | 500 | 502 | 503 | 504 }
  | { readonly kind: 'delay'; readonly delayMs: number }
  /** The provider has read this many ledgers fewer than are closed. */
  | { readonly kind: 'lag'; readonly ledgers: number }
  /**
   * Lagging servers answer some paths, with the ledger `until` or with the ledger of `lagMs` ago. Each response contains the
   * ledger of its server, if the real response contains a ledger.
   */
  | ({
      readonly kind: 'behind';
      readonly paths: readonly LagPath[];
      readonly servers: LagServers;
    } & ({ readonly until: number } | { readonly lagMs: number }))
  | { readonly kind: 'lie'; readonly hash?: string; readonly envelopeXdr?: string }
  | { readonly kind: 'hide'; readonly hash?: string };

export type StellarFaultKind = StellarFault['kind'];

export interface StellarFaultScope {
  /** The URL of one provider. If absent, the fault applies to both providers. */
  readonly url?: string;
  /** The number of requests that the fault affects. If absent, it lasts until a test clears it. */
  readonly next?: number;
  /** If absent, the fault affects both, as far as its kind allows. */
  readonly on?: 'submit' | 'read';
}

export interface ActiveStellarFault {
  readonly hits: number;
  clear(): void;
}

export interface RequestFacts {
  readonly url: string;
  readonly on: 'submit' | 'read';
  readonly hash?: string;
  readonly path?: LagPath;
}

type FaultOfKind<Kind extends StellarFaultKind> = Extract<StellarFault, { kind: Kind }>;

interface FaultEntry {
  readonly fault: StellarFault;
  readonly scope: StellarFaultScope;
  hits: number;
}

const REMEMBERED = 1000;

function meetsRequest({ fault, scope, hits }: FaultEntry, request: RequestFacts): boolean {
  if (scope.url !== undefined && scope.url !== request.url) return false;
  if (scope.on !== undefined && scope.on !== request.on) return false;
  if (scope.next !== undefined && hits >= scope.next) return false;
  if (fault.kind === 'behind') return request.path !== undefined && fault.paths.includes(request.path);
  return !('hash' in fault) || fault.hash === undefined || fault.hash === request.hash;
}

export class StellarFaults {
  readonly #entries = new Set<FaultEntry>();
  /** Recent submissions, so that a false response about one of them can be complete. */
  readonly #seen = new Map<string, StellarEnvelope>();

  add(fault: StellarFault, scope: StellarFaultScope = {}): ActiveStellarFault {
    const entry: FaultEntry = { fault, scope, hits: 0 };
    this.#entries.add(entry);
    return {
      get hits() {
        return entry.hits;
      },
      clear: () => {
        this.#entries.delete(entry);
      },
    };
  }

  clear(url?: string): void {
    for (const entry of [...this.#entries]) {
      if (url === undefined || entry.scope.url === url) this.#entries.delete(entry);
    }
  }

  remember(envelope: StellarEnvelope): void {
    this.#seen.set(envelope.hashHex, envelope);
    if (this.#seen.size > REMEMBERED) this.#seen.delete(this.#seen.keys().next().value!);
  }

  seen(hashHex: string): StellarEnvelope | undefined {
    return this.#seen.get(hashHex);
  }

  get newest(): StellarEnvelope | undefined {
    return [...this.#seen.values()].at(-1);
  }

  /** Returns the fault of this kind that applies to this request, and counts it as used. */
  take<Kind extends StellarFaultKind>(kind: Kind, request: RequestFacts): FaultOfKind<Kind> | undefined {
    for (const entry of this.#entries) {
      if (entry.fault.kind !== kind || !meetsRequest(entry, request)) continue;
      entry.hits += 1;
      return entry.fault as FaultOfKind<Kind>;
    }
    return undefined;
  }
}
