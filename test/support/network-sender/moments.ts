// Lists the moments at which a sender may be killed: around every call that signs, stores, broadcasts, records or queries, on
// one network, at its n-th call. The same moment kills the sender at the same line on every machine.
import type { Change } from '../../../src/domain/records/change.ts';
import { MODES } from '../../../src/domain/values/mode.ts';
import type { Network, Networks } from '../../../src/ports/networks/network.ts';
import type { Store } from '../../../src/ports/store/store.ts';
import type { Dice } from '../dice.ts';

/**
 * `store`: the sender commits signed bytes before it broadcasts them. `record`: the sender commits the outcome of the bytes.
 */
const STEPS = ['prepare', 'store', 'broadcast', 'record', 'ask'] as const;
type Step = (typeof STEPS)[number];

export interface Moment {
  readonly network: string;
  readonly step: Step;
  /** `within`: `delayMs` after the step began. */
  readonly edge: 'before' | 'within' | 'after';
  readonly nth: number;
  readonly delayMs: number;
}

/** Payments that are due together are signed and stored once, but broadcast and queried as several transactions. */
const MOST_NTH: Readonly<Record<Step, number>> = { prepare: 1, store: 1, broadcast: 2, record: 2, ask: 2 };
const LONGEST_WITHIN_MS = 25;

export function drawMoment(dice: Dice, networks: readonly string[]): Moment {
  const step = dice.pick(STEPS);
  return {
    network: dice.pick(networks),
    step,
    edge: dice.pick(['before', 'within', 'after'] as const),
    nth: dice.between(1, MOST_NTH[step]),
    delayMs: dice.between(1, LONGEST_WITHIN_MS),
  };
}

export const nameOf = ({ step, edge }: Moment): string => `${edge} ${step}`;

type Watch = <Outcome>(
  networks: ReadonlySet<string>,
  step: Step,
  work: () => Promise<Outcome>,
) => Promise<Outcome>;

/** If `moment` is null, nothing kills the sender at a moment. `strike` does not return. */
export function watchFor(moment: Moment | null, strike: () => void): Watch {
  let seen = 0;
  return async (networks, step, work) => {
    const hit = moment?.step === step && networks.has(moment.network) && ++seen === moment.nth;
    if (!hit) return work();
    if (moment.edge === 'before') strike();
    if (moment.edge === 'within') setTimeout(strike, moment.delayMs);
    const outcome = await work();
    if (moment.edge === 'after') strike();
    return outcome;
  };
}

export function watchedNetworks(real: Networks, watch: Watch): Networks {
  const wrapped = new Map(
    MODES.flatMap((mode) => real.enabled(mode)).map((network) => [network, watched(network, watch)]),
  );
  return {
    ...real,
    find: (mode, name) => {
      const found = real.find(mode, name);
      return found && wrapped.get(found);
    },
    enabled: (mode) => real.enabled(mode).map((network) => wrapped.get(network)!),
  };
}

function watched(network: Network, watch: Watch): Network {
  const own = new Set([network.name]);
  return {
    ...network,
    prepare: (payments, turn) => watch(own, 'prepare', () => network.prepare(payments, turn)),
    broadcast: (prepared) => watch(own, 'broadcast', () => network.broadcast(prepared)),
    ask: (envelope) => watch(own, 'ask', () => network.ask(envelope)),
  };
}

export function watchedStore<Real extends Store>(real: Real, watch: Watch): Real {
  return {
    ...real,
    commit: (changes, feed) => {
      const attempts = changes.flatMap((change: Change) => change.attempts ?? []);
      if (attempts.length === 0) return real.commit(changes, feed);
      const networks = new Set(attempts.flatMap(({ network }) => network ?? []));
      const isNew = attempts.some(({ state }) => state === 'prepared');
      return watch(networks, isNew ? 'store' : 'record', () => real.commit(changes, feed));
    },
  };
}
