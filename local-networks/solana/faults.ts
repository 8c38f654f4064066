// The faults between a client and the network. A fault is active for the next few calls or until a test clears it, at one
// provider or at both. Nothing is random, so a fault affects every call within its scope.
import type { SendFate } from './rpc/params.ts';

export type Provider = 0 | 1;

export interface SolanaFaultScope {
  /** If absent, the fault applies to both providers. */
  readonly provider?: Provider;
  /**
   * The methods that the fault affects. If absent, faults of sending affect sendTransaction, and all other faults affect every
   * method.
   */
  readonly methods?: readonly string[];
  /** The number of calls that the fault affects. If absent, it lasts until a test clears it. */
  readonly times?: number;
}

/** Invents a response from the parameters of the call and the honest result. */
export type ForgeAnswer = (params: readonly unknown[], honest: unknown) => unknown;

export interface FaultEffects {
  delayMs: number;
  httpStatus: number | null;
  cutBefore: boolean;
  lagSlots: number;
  fate: SendFate;
  ending: 'answer' | 'cut' | 'error';
  readonly forges: ForgeAnswer[];
}

interface ActiveFault {
  readonly scope: SolanaFaultScope;
  readonly apply: (effects: FaultEffects) => void;
  met: number;
}

interface UndoFault {
  (): void;
  /** How many calls the fault has affected so far. */
  met(): number;
}

const SENDING = ['sendTransaction'];

export class SolanaFaults {
  private readonly active = new Set<ActiveFault>();

  /** The network executes the call, and the connection is cut instead of a response. */
  loseAnswer(scope: SolanaFaultScope = {}): UndoFault {
    return this.add({ methods: SENDING, ...scope }, (effects) => {
      effects.ending = 'cut';
    });
  }

  /** The network executes the call, and the response is an internal error. */
  answerErrorThoughDone(scope: SolanaFaultScope = {}): UndoFault {
    return this.add({ methods: SENDING, ...scope }, (effects) => {
      effects.ending = 'error';
    });
  }

  cutBefore(scope: SolanaFaultScope = {}): UndoFault {
    return this.add({ methods: SENDING, ...scope }, (effects) => {
      effects.cutBefore = true;
    });
  }

  /**
   * The provider accepts a transaction, but no block ever includes it. If the client sends it again, a block may include it.
   */
  drop(scope: SolanaFaultScope = {}): UndoFault {
    return this.add({ methods: SENDING, ...scope }, (effects) => {
      effects.fate = 'drop';
    });
  }

  /**
   * A transaction lands and is visible, even as confirmed if `afterSlots` allows it. That many slots later the chain
   * reorganises to a fork in which the transaction never landed. If the client sends it again, it may land again. See
   * Chain.reorganise.
   */
  forkAway(afterSlots: number, scope: SolanaFaultScope = {}): UndoFault {
    return this.add({ methods: SENDING, ...scope }, (effects) => {
      effects.fate = { forkAfterSlots: afterSlots };
    });
  }

  delay(delayMs: number, scope: SolanaFaultScope = {}): UndoFault {
    return this.add(scope, (effects) => {
      effects.delayMs += delayMs;
    });
  }

  /**
   * A provider lags: its slot, height, statuses and accounts are this many slots old. If `slots` is a function, each call asks
   * it for the number.
   */
  lag(slots: number | (() => number), scope: SolanaFaultScope = {}): UndoFault {
    return this.add(scope, (effects) => {
      effects.lagSlots += typeof slots === 'number' ? slots : slots();
    });
  }

  answerHttp(status: number, scope: SolanaFaultScope = {}): UndoFault {
    return this.add(scope, (effects) => {
      effects.httpStatus = status;
    });
  }

  /** A lying provider reports an unknown signature as finalized. */
  claimFinalized(scope: SolanaFaultScope = {}): UndoFault {
    return this.forgeStatuses(scope, (status, slot) => status ?? finalizedStatus(slot));
  }

  /** A lying provider reports every signature as unknown. */
  denyStatuses(scope: SolanaFaultScope = {}): UndoFault {
    return this.forgeStatuses(scope, () => null);
  }

  /** A lying provider returns any response that `make` invents. */
  forge(make: ForgeAnswer, scope: SolanaFaultScope & { readonly methods: readonly string[] }): UndoFault {
    return this.add(scope, (effects) => {
      effects.forges.push(make);
    });
  }

  clear(): void {
    this.active.clear();
  }

  /** Counts one call for every fault that affects it. */
  take(provider: Provider, method: string): FaultEffects {
    const effects: FaultEffects = {
      delayMs: 0,
      httpStatus: null,
      cutBefore: false,
      lagSlots: 0,
      fate: 'queue',
      ending: 'answer',
      forges: [],
    };
    for (const fault of this.active) {
      const { scope } = fault;
      if (scope.provider !== undefined && scope.provider !== provider) continue;
      if (scope.methods !== undefined && !scope.methods.includes(method)) continue;
      fault.apply(effects);
      fault.met += 1;
      if (fault.met >= (scope.times ?? Number.POSITIVE_INFINITY)) this.active.delete(fault);
    }
    return effects;
  }

  private add(scope: SolanaFaultScope, apply: ActiveFault['apply']): UndoFault {
    const fault: ActiveFault = { scope, apply, met: 0 };
    this.active.add(fault);
    return Object.assign(() => void this.active.delete(fault), { met: () => fault.met });
  }

  private forgeStatuses(
    scope: SolanaFaultScope,
    change: (status: unknown, slot: number) => unknown,
  ): UndoFault {
    const make: ForgeAnswer = (_params, honest) => {
      const { context, value } = honest as { context: { slot: number }; value: unknown[] };
      return { context, value: value.map((status) => change(status, context.slot)) };
    };
    return this.forge(make, { ...scope, methods: ['getSignatureStatuses'] });
  }
}

function finalizedStatus(slot: number): object {
  return {
    confirmationStatus: 'finalized',
    confirmations: null,
    err: null,
    slot: slot - 40,
    status: { Ok: null },
  };
}
