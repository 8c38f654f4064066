// Tries again to enable the networks that could not be checked at the start, each at its own interval, until all are enabled.
// For each network it writes a log line at the beginning, when the settings turn out to be wrong, and when the network is
// enabled.
import { setTimeout as sleep } from 'node:timers/promises';
import { MODES } from '../domain/values/mode.ts';
import type { Instruments } from '../ports/instruments.ts';
import type { DisabledNetwork, Networks } from '../ports/networks/network.ts';
import type { Loop } from './loop.ts';

export interface EnableNetworksDeps {
  readonly networks: Networks;
  /** Returns null if the network is now enabled. */
  readonly enable: (
    network: DisabledNetwork,
  ) => Promise<{ readonly problem: string; readonly wrong: boolean } | null>;
  readonly instruments: Instruments;
  readonly say: (
    loudness: 'info' | 'error',
    message: string,
    detail: Readonly<Record<string, unknown>>,
  ) => void;
  /** The pauses between two attempts: the first pause and the longest pause. */
  readonly pausesMs?: readonly [first: number, longest: number];
}

const PAUSES_MS = [1_000, 60_000] as const;

export function startEnablingNetworks(deps: EnableNetworksDeps): Loop {
  const { networks, say } = deps;
  const [firstMs, longestMs] = deps.pausesMs ?? PAUSES_MS;
  const report = makeEnabledReport(deps);
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<'stopped'>((resolve) =>
    signal.addEventListener('abort', () => resolve('stopped')),
  );

  const keepTrying = async (network: DisabledNetwork) => {
    const of = { mode: network.mode, network: network.name };
    say('error', 'a network could not be checked: it is disabled and will be retried', {
      ...of,
      why: network.problem,
    });
    let saidWrong = false;
    for (let pauseMs = firstMs; ; pauseMs = Math.min(longestMs, pauseMs * 2)) {
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      // When the service stops, it does not wait for a provider, and it ignores a late response.
      const outcome = await Promise.race([tryEnable(deps, network), stopped]);
      if (outcome === 'stopped') return;
      if (outcome === null) break;
      if (outcome.wrong && !saidWrong)
        say('error', 'a disabled network does not match its settings', { ...of, why: outcome.problem });
      saidWrong ||= outcome.wrong;
    }
    report();
    say('info', 'a network is now enabled', of);
  };

  const waiting = MODES.flatMap((mode) => networks.disabled(mode));
  report();
  const running = Promise.all(waiting.map(keepTrying));
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** After any error the service tries the network again, even if the database cannot be reached. */
async function tryEnable({ enable }: EnableNetworksDeps, network: DisabledNetwork) {
  try {
    return await enable(network);
  } catch (error) {
    return { problem: (error as Error).message, wrong: false };
  }
}

function makeEnabledReport({ networks, instruments }: EnableNetworksDeps): () => void {
  const gauge = instruments.gauge(
    'sliproad_network_enabled',
    '1 while a network can be used, 0 while its check has not succeeded yet and is retried.',
    ['mode', 'network'],
  );
  return () =>
    gauge(
      MODES.flatMap((mode) => [
        ...networks.enabled(mode).map(({ name }) => ({ labels: { mode, network: name }, value: 1 })),
        ...networks.disabled(mode).map(({ name }) => ({ labels: { mode, network: name }, value: 0 })),
      ]),
    );
}
