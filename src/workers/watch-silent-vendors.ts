// Checks every few minutes for vendor accounts that stopped receiving credits. It reports each account once, when it finds it.
import { checkSilentVendors, type SilentVendorDeps } from '../app/reconciliation/check-silent-vendors.ts';
import { MODES } from '../domain/values/mode.ts';
import type { Instruments } from '../ports/instruments.ts';
import { type Loop, startLoop } from './loop.ts';

const EVERY_MS = 5 * 60_000;

export interface SilentVendorLoopDeps extends SilentVendorDeps {
  readonly instruments: Instruments;
  readonly onSilent: (message: string, detail: Readonly<Record<string, unknown>>) => void;
  readonly onError: (error: Error) => void;
}

export function startSilentVendorWatch(deps: SilentVendorLoopDeps, everyMs = EVERY_MS): Loop {
  const silent = deps.instruments.gauge(
    'sliproad_silent_vendors',
    'Vendor accounts that stopped receiving credits; taken_off is 0 for the last one of its mode, which stays on the list.',
    ['mode', 'taken_off'],
  );
  return startLoop({
    everyMs,
    onError: deps.onError,
    turn: async () => {
      for (const { vendorId, mode, name, takenOff, claims } of await checkSilentVendors(deps))
        deps.onSilent(takenOff ? TAKEN_OFF : LAST, { vendor: vendorId, mode, name, claims });
      const open = (await Promise.all(MODES.map((mode) => deps.silentVendors.list(mode)))).flat();
      silent(
        MODES.flatMap((mode) =>
          [true, false].map((off) => ({
            labels: { mode, taken_off: off ? '1' : '0' },
            value: open.filter((each) => each.mode === mode && each.takenOff === off).length,
          })),
        ),
      );
    },
  });
}

const TAKEN_OFF =
  'a vendor account stopped receiving credits and was taken off the list. To put it back: bin/sliproad vendors enable';
const LAST =
  'the last vendor account of a mode stopped receiving credits and stays on the list: disable it if it no longer works';
