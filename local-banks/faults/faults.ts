// The active faults of the local banks. Each request takes the faults that apply to it. A fault ends after the number of
// requests for which it was set.
import { randomUUID } from 'node:crypto';
import type { LocalRailName } from '../books/entries.ts';
import { type BankFault, type BankFaultKind, type BankOperation, operationOf } from './kinds.ts';
import { faultsOfMagicNumber } from './magic-numbers.ts';

export interface FaultQuery {
  readonly rail: LocalRailName;
  readonly operation: BankOperation;
  readonly account?: string | undefined;
  readonly reference?: string | undefined;
}

interface SetFault {
  readonly id: string;
  readonly fault: BankFault;
  readonly until: number;
  readonly draw: () => number;
  left: number;
  met: number;
}

export interface ListedFault extends BankFault {
  readonly id: string;
  readonly met: number;
  readonly left: number | null;
}

export class Faults {
  private readonly faults = new Map<string, SetFault>();
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  set(fault: BankFault): string {
    const id = randomUUID();
    const isOpen = fault.forSeconds !== undefined || fault.probability !== undefined;
    const { times = isOpen ? Number.POSITIVE_INFINITY : 1, forSeconds, seed = 1 } = fault;
    const until = forSeconds === undefined ? Number.POSITIVE_INFINITY : this.now() + forSeconds * 1_000;
    this.faults.set(id, { id, fault, until, draw: makeDraw(seed), left: times, met: 0 });
    return id;
  }

  clear(id?: string): void {
    if (id === undefined) this.faults.clear();
    else this.faults.delete(id);
  }

  list(): ListedFault[] {
    return [...this.faults.values()].map(({ id, fault, met, left }) => ({
      ...{ id, ...fault, met, left: Number.isFinite(left) ? left : null },
    }));
  }

  /**
   * Returns the first fault of these kinds that applies to the request, and counts it as used. A magic account number has its
   * own faults.
   */
  take(kinds: readonly BankFaultKind[], asked: FaultQuery): BankFault | undefined {
    const set = [...this.faults.values()].find((each) => this.concerns(each, kinds, asked));
    if (set !== undefined) {
      set.met++;
      set.left--;
      return set.fault;
    }
    return faultsOfMagicNumber(asked.account).find(
      (fault) => kinds.includes(fault.kind) && [asked.operation, '*'].includes(operationOf(fault)),
    );
  }

  private concerns(set: SetFault, kinds: readonly BankFaultKind[], asked: FaultQuery): boolean {
    const { fault, left, until, draw } = set;
    if (!kinds.includes(fault.kind) || left <= 0 || this.now() >= until) return false;
    if (fault.rail !== undefined && fault.rail !== asked.rail) return false;
    if (![asked.operation, '*'].includes(operationOf(fault))) return false;
    if (fault.account !== undefined && fault.account !== asked.account) return false;
    if (fault.reference !== undefined && fault.reference !== asked.reference) return false;
    return fault.probability === undefined || draw() < fault.probability;
  }
}

/** Returns the same sequence of numbers between 0 and 1 for the same seed (mulberry32). */
function makeDraw(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
