// The faults between a client and the network, active for the next few calls or until cleared, at one provider or at both.
// Nothing is random: a fault affects each call it covers.
import type { SendFate } from './rpc/params.ts';

export type Provider = 0 | 1;

export interface SolanaFaultScope {
  /** Both when absent. */
  readonly provider?: Provider;
  /** The calls that it affects. If absent: sendTransaction for faults of sending, every call for other faults. */
  readonly methods?: readonly string[];
  /** The number of calls that it affects; until cleared if absent. */
  readonly times?: number;
}

/** Invents a response from the call's parameters and the honest result. */
export type ForgeAnswer = (params: readonly unknown[], honest: unknown) => unknown;

/** The effect of the active faults on one call. */
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

/** Removes the fault. */
interface UndoFault {
  (): void;
  /** How many calls the fault has covered so far. */
  met(): number;
}

const SENDING = ['sendTransaction'];

export class SolanaFaults {
  private readonly active = new Set<ActiveFault>();

  /** The call is executed; the connection is cut instead of a response. */
  loseAnswer(scope: SolanaFaultScope = {}): UndoFault {
    return this.add({ methods: SENDING, ...scope }, (effects) => {
      effects.ending = 'cut';
    });
  }

  /** The call is executed; the response is an internal error. */
  answerErrorThoughDone(scope: SolanaFaultScope = {}): UndoFault {
    return this.add({ methods: SENDING, ...scope }, (effects) => {
      effects.ending = 'error';
    });
  }

  /** The connection is cut and nothing is executed. */
  cutBefore(scope: SolanaFaultScope = {}): UndoFault {
    return this.add({ methods: SENDING, ...scope }, (effects) => {
      effects.cutBefore = true;
    });
  }

  /** A transaction is accepted but never included. If it is sent again, it may be included. */
  drop(scope: SolanaFaultScope = {}): UndoFault {
    return this.add({ methods: SENDING, ...scope }, (effects) => {
      effects.fate = 'drop';
    });
  }

  /**
   * A transaction lands and is visible, even as confirmed if `afterSlots` allows it. That many slots later the chain reorganises
   * to a fork in which it never landed. If it is sent again, it may land again. See Chain.reorganise.
   */
  forkAway(afterSlots: number, scope: SolanaFaultScope = {}): UndoFault {
    return this.add({ methods: SENDING, ...scope }, (effects) => {
      effects.fate = { forkAfterSlots: afterSlots };
    });
  }

  /** The call waits before it is executed. */
  delay(delayMs: number, scope: SolanaFaultScope = {}): UndoFault {
    return this.add(scope, (effects) => {
      effects.delayMs += delayMs;
    });
  }

  /**
   * A provider lags: its slot, height, statuses and accounts are this many slots old; a function is called each time for the
   * number.
   */
  lag(slots: number | (() => number), scope: SolanaFaultScope = {}): UndoFault {
    return this.add(scope, (effects) => {
      effects.lagSlots += typeof slots === 'number' ? slots : slots();
    });
  }

  /** The response is an HTTP status such as 429 or 500; nothing is executed. */
  answerHttp(status: number, scope: SolanaFaultScope = {}): UndoFault {
    return this.add(scope, (effects) => {
      effects.httpStatus = status;
    });
  }

  /** A lying provider: it reports an unknown signature as finalized. */
  claimFinalized(scope: SolanaFaultScope = {}): UndoFault {
    return this.forgeStatuses(scope, (status, slot) => status ?? finalizedStatus(slot));
  }

  /** A lying provider: it reports every signature as unknown. */
  denyStatuses(scope: SolanaFaultScope = {}): UndoFault {
    return this.forgeStatuses(scope, () => null);
  }

  /** A lying provider: it returns any response that `make` invents. */
  forge(make: ForgeAnswer, scope: SolanaFaultScope & { readonly methods: readonly string[] }): UndoFault {
    return this.add(scope, (effects) => {
      effects.forges.push(make);
    });
  }

  clear(): void {
    this.active.clear();
  }

  /** Counts one call for the faults that cover it. */
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
