// Checks each treasury a second time, in addition to the comparison of transfers. The sends of an asset stop if its treasury
// holds less than the books explain, for longer than providers can be out of date. A single balance has no block height, so it
// proves nothing.
import { shortageFinding } from '../../domain/movements/outflows.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Networks } from '../../ports/networks/network.ts';
import type { TreasuryGuard } from './guard-treasury.ts';
import { SHORT_FOR_MS, SHORT_READINGS } from './judge-balance.ts';
import type { TreasuryReading } from './read-treasuries.ts';

export interface ShortageDeps {
  readonly networks: Networks;
  readonly guard: Pick<TreasuryGuard, 'stop'>;
  readonly clock: Clock;
}

interface OpenShortage {
  readonly sinceMs: number;
  readonly readings: number;
  /** The smallest shortage that was read. A larger shortage may include a payment that was not booked yet. */
  readonly leastMinor: bigint;
}

export function makeShortageWatch({
  networks,
  guard,
  clock,
}: ShortageDeps): (readings: readonly TreasuryReading[]) => Promise<void> {
  const shorts = new Map<string, OpenShortage>();
  const note = (mode: Mode, name: string, shortMinor: bigint): OpenShortage => {
    const key = `${mode} ${name}`;
    const before = shorts.get(key);
    const short = {
      sinceMs: before?.sinceMs ?? clock.now(),
      readings: (before?.readings ?? 0) + 1,
      leastMinor: before === undefined || shortMinor < before.leastMinor ? shortMinor : before.leastMinor,
    };
    shorts.set(key, short);
    return short;
  };
  return async (readings) => {
    for (const reading of readings) {
      // A treasury that cannot be read neither starts nor ends a shortage.
      if ('problem' in reading) continue;
      const { mode, network: name, unexplainedMinor } = reading;
      if (unexplainedMinor >= 0n) {
        shorts.delete(`${mode} ${name}`);
        continue;
      }
      const { sinceMs, readings: count, leastMinor } = note(mode, name, -unexplainedMinor);
      if (clock.now() - sinceMs < SHORT_FOR_MS || count < SHORT_READINGS) continue;
      const network = networks.find(mode, name);
      if (network !== undefined) await guard.stop(mode, network, [shortageFinding(leastMinor)]);
    }
  };
}
