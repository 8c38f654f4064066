// Watches the balances of the treasury wallets, and alerts an operator when a balance is low or differs from the ledger. Before
// that, it books the cost of network set-ups that have no recorded outcome yet.
import { type SettleSetUpsDeps, settleSetUps } from '../app/networks/settle-set-ups.ts';
import {
  readTreasuries,
  type TreasuryDeps,
  type TreasuryReading,
  type TreasuryState,
} from '../app/treasury/read-treasuries.ts';
import { makeShortageWatch, type ShortageDeps } from '../app/treasury/watch-shortage.ts';
import type { Instruments } from '../ports/instruments.ts';
import type { Guards } from '../ports/operations/guards.ts';
import { type Loop, startLoop } from './loop.ts';

export interface WatchTreasuriesDeps
  extends TreasuryDeps,
    ShortageDeps,
    Pick<SettleSetUpsDeps, 'setUps' | 'clock'> {
  readonly store: TreasuryDeps['store'] & SettleSetUpsDeps['store'];
  readonly instruments: Instruments;
  readonly guards: Pick<Guards, 'guard'>;
  readonly onTrouble: (message: string, detail: Readonly<Record<string, unknown>>) => void;
  readonly onError: (error: Error) => void;
}

export function startTreasuryWatch(deps: WatchTreasuriesDeps, everyMs: number): Loop {
  const report = makeGauges(deps.instruments);
  const logged = new Set<string>();
  const watchShortage = makeShortageWatch(deps);
  return startLoop({
    everyMs,
    guard: deps.guards.guard({ name: 'The watch over the treasuries', everyMs, stops: 'tokens' }),
    turn: async () => {
      await settleSetUps(deps).catch(deps.onError);
      const readings = await readTreasuries(deps);
      report(readings.filter((each): each is TreasuryState => !('problem' in each)));
      reportTrouble(deps, readings, logged);
      await watchShortage(readings);
    },
    onError: deps.onError,
  });
}

/** Reports a problem once when it begins, and again if the problem returns later. */
function reportTrouble(
  { onTrouble }: WatchTreasuriesDeps,
  readings: readonly TreasuryReading[],
  logged: Set<string>,
): void {
  const now = new Map<string, () => void>();
  for (const reading of readings) {
    const of = { mode: reading.mode, network: reading.network };
    const name = `${of.mode} ${of.network}`;
    if ('problem' in reading) {
      now.set(`${name} away`, () => onTrouble('a treasury cannot be read', { ...of, why: reading.problem }));
      continue;
    }
    const { low, chain, unexplainedMinor } = reading;
    for (const what of low) {
      const balance = what === 'token' ? chain.tokenMinor : chain.native.amountMinor;
      const mark = what === 'token' ? chain.marks.tokenMinor : chain.marks.nativeMinor;
      const detail = { ...of, what, wallet: chain.wallet, balance: `${balance}`, mark: `${mark}` };
      now.set(`${name} ${what}`, () =>
        onTrouble('a treasury is below its low-water mark: sends are paused', detail),
      );
    }
    if (unexplainedMinor !== 0n) {
      const detail = { ...of, unexplained_minor: `${unexplainedMinor}` };
      now.set(`${name} books`, () => onTrouble('a treasury balance differs from the ledger', detail));
    }
  }
  for (const [key, say] of now) if (!logged.has(key)) say();
  logged.clear();
  for (const key of now.keys()) logged.add(key);
}

function makeGauges(instruments: Instruments): (states: readonly TreasuryState[]) => void {
  const labels = ['mode', 'network'] as const;
  const gauge = (name: string, help: string) => instruments.gauge(name, help, labels);
  const gauges = [
    [
      gauge('sliproad_treasury_tokens', 'Tokens in the wallet that pays, in minor units.'),
      (s) => s.chain.tokenMinor,
    ],
    [
      gauge('sliproad_treasury_native', 'Native coin for fees in the wallet that pays, in minor units.'),
      (s) => s.chain.native.amountMinor,
    ],
    [
      gauge(
        'sliproad_treasury_unswept',
        'Tokens at deposit addresses that are not swept yet, in minor units.',
      ),
      (s) => s.unsweptMinor,
    ],
    [
      gauge(
        'sliproad_treasury_unexplained',
        'Difference between a wallet balance and the books that is not explained, in minor units.',
      ),
      (s) => s.unexplainedMinor,
    ],
    [
      gauge('sliproad_treasury_low', '1 while a treasury is below a low-water mark.'),
      (s) => BigInt(s.low.length > 0 ? 1 : 0),
    ],
  ] as const satisfies readonly (readonly [unknown, (state: TreasuryState) => bigint])[];
  return (states) => {
    for (const [set, read] of gauges)
      set(
        states.map((state) => ({
          labels: { mode: state.mode, network: state.network },
          value: Number(read(state)),
        })),
      );
  };
}
