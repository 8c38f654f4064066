// Simulates servers behind one address with different lags. It decides which server answers a request, and how many ledgers
// that server is behind. The path shows the kind of a request. Only responses about state contain their ledger.
import type { LagPath } from '../lag.ts';
import type { StellarFault } from './faults.ts';
import type { LocalHorizonAnswer } from './horizon/submit.ts';
import type { StellarLedger } from './ledger.ts';

type BehindFault = Extract<StellarFault, { kind: 'behind' }>;

const PATHS: readonly [RegExp, LagPath][] = [
  [/^\/(?:ledgers(?:\/.*)?|fee_stats)?$/, 'height'],
  [/^\/transactions\/./, 'status'],
  [/^\/accounts\/[^/]+(?:\/data\/.*)?$/, 'account'],
  [/^\/(?:claimable_balances(?:\/[^/]+)?|assets)$/, 'account'],
];

export function lagPathOf(pathname: string): LagPath {
  return PATHS.find(([form]) => form.test(pathname))?.[1] ?? 'history';
}

interface FaultMemory {
  asked: number;
  readonly missing: Map<string, LocalHorizonAnswer>;
}

const memories = new WeakMap<BehindFault, FaultMemory>();

function memoryOf(fault: BehindFault): FaultMemory {
  const memory = memories.get(fault) ?? { asked: 0, missing: new Map() };
  memories.set(fault, memory);
  return memory;
}

/** A pseudo-random coin that gives the same sequence each time. */
function isHeads(nth: number): boolean {
  const mixed = Math.imul(nth ^ 0x5bd1e995, 0x85ebca6b);
  return Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 31 === 0;
}

/** The maximum lag in ledgers. It is less than the age of the oldest state that can be read. */
const MOST_BEHIND = 900;

export function ledgersBehind(fault: BehindFault, ledger: StellarLedger): number {
  const nth = memoryOf(fault).asked++;
  const isBehind = {
    sticky: () => true,
    random: () => isHeads(nth),
    switching: () => nth % 2 === 0,
    cached: () => false,
  }[fault.servers]();
  if (!isBehind) return 0;
  const { sequence } = ledger.latest;
  const behind = 'until' in fault ? sequence - fault.until : ledgersOf(ledger, fault.lagMs);
  return Math.max(0, Math.min(MOST_BEHIND, behind, sequence - 1));
}

function ledgersOf(ledger: StellarLedger, lagMs: number): number {
  const { ledgers } = ledger.history;
  const since = Math.floor((ledger.now() - lagMs) / 1000);
  let count = 0;
  while (count < ledgers.length && ledgers[ledgers.length - 1 - count]!.closeTime > since) count++;
  return count;
}

export function repeatCached(
  fault: BehindFault,
  { pathname, search }: URL,
  answer: () => LocalHorizonAnswer,
): LocalHorizonAnswer {
  if (fault.servers !== 'cached') return answer();
  const { missing } = memoryOf(fault);
  const address = `${pathname}${search}`;
  const made = missing.get(address) ?? answer();
  if (isEmptyAnswer(made)) missing.set(address, made);
  return made;
}

function isEmptyAnswer({ status, body }: LocalHorizonAnswer): boolean {
  const { records } = (body._embedded ?? {}) as { readonly records?: readonly unknown[] };
  return status === 404 || records?.length === 0;
}
