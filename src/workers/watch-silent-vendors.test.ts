// Tests that removing a vendor from the list alerts operators like other problems with money: with one error in the log, and a
// metric for as long as the problem lasts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VendorActivity } from '../domain/catalogue/vendors.ts';
import { makeMetrics } from '../http/metrics.ts';
import type { SilentVendors, VendorSilence } from '../ports/reconciliation.ts';
import { startSilentVendorWatch } from './watch-silent-vendors.ts';

const NOW = Date.UTC(2026, 10, 17);
const DAY_MS = 86_400_000;

function recordOf(vendorId: string): VendorActivity {
  const sinceMs = NOW - 2 * DAY_MS;
  return {
    ...{ vendorId, lastCreditAtMs: sinceMs, sinceMs, unpaid: 9, businesses: 2 },
    ...{ paidBefore: 40, endedBefore: 41, payersBefore: 2 },
  };
}

function vendors(): SilentVendors {
  const silences: VendorSilence[] = [];
  return {
    records: async (mode) => (mode === 'live' ? ['vnd_1', 'vnd_2'].map(recordOf) : []),
    silence: async ({ vendorId, lastCreditAtMs, unpaid: claims }, atMs) => {
      if (silences.some((each) => each.vendorId === vendorId)) return undefined;
      const of = { vendorId, mode: 'live', name: `Vendor of ${vendorId}`, claims } as const;
      silences.push({ ...of, lastCreditAtMs: lastCreditAtMs!, atMs, takenOff: vendorId === 'vnd_1' });
      return silences.at(-1);
    },
    endOver: async () => undefined,
    list: async (mode) => silences.filter((each) => each.mode === mode),
  };
}

test('a silent vendor is reported once, the last vendor with another message, and the metric counts both', async () => {
  const said: string[] = [];
  const silentVendors = vendors();
  const watched = (metrics: ReturnType<typeof makeMetrics>) =>
    startSilentVendorWatch({
      ...{ silentVendors, clock: { now: () => NOW }, instruments: metrics },
      policy: { silentMs: DAY_MS, claims: 5, modes: ['live', 'test'] },
      onSilent: (message, detail) => said.push(`${detail.vendor} ${message}`),
      onError: (error) => assert.fail(error),
    });
  // Two processes run the watch. A turn that has started finishes before the loop stops.
  await watched(makeMetrics({})).stop();
  const metrics = makeMetrics({});
  await watched(metrics).stop();
  assert.equal(said.length, 2);
  assert.match(said[0]!, /^vnd_1 .* was taken off the list\. To put it back: bin\/sliproad vendors enable$/);
  assert.match(said[1]!, /^vnd_2 the last vendor account of a mode stopped receiving credits and stays/);
  const text = await metrics.registry.metrics();
  assert.match(text, /sliproad_silent_vendors\{mode="live",taken_off="1"\} 1/);
  assert.match(text, /sliproad_silent_vendors\{mode="live",taken_off="0"\} 1/);
  assert.match(text, /sliproad_silent_vendors\{mode="test",taken_off="1"\} 0/);
});
