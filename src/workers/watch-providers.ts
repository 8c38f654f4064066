// Watches the providers of the networks. An operator gets a warning when a provider stops responding, and an error when too few
// respond. Each problem is logged once when it begins, and once when it has been absent for a while.
import { type ProvidersReading, readProviders } from '../app/networks/read-networks.ts';
import type { Instruments } from '../ports/instruments.ts';
import type { Networks } from '../ports/networks/network.ts';
import { type Loop, startLoop } from './loop.ts';

type WriteLog = (
  loudness: 'info' | 'warn' | 'error',
  message: string,
  detail: Readonly<Record<string, unknown>>,
) => void;

export interface WatchProvidersDeps {
  readonly networks: Networks;
  readonly instruments: Instruments;
  readonly say: WriteLog;
  readonly onError: (error: Error) => void;
}

export function startProviderWatch(
  { networks, instruments, say, onError }: WatchProvidersDeps,
  everyMs: number,
): Loop {
  const report = makeGauges(instruments);
  const call = makeTroubleLog(say);
  return startLoop({
    everyMs,
    turn: async () => {
      const readings = await readProviders({ networks });
      report(readings);
      call(readings.flatMap(listTroubles));
    },
    onError,
  });
}

interface ProviderTrouble {
  readonly key: string;
  readonly now: boolean;
  /** Whether a more severe problem already covers this problem. */
  readonly covered?: boolean;
  readonly loudness: 'warn' | 'error';
  readonly begins: string;
  readonly ends: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

function listTroubles({
  mode,
  network,
  providers,
  answering,
  missing,
}: ProvidersReading): readonly ProviderTrouble[] {
  const of = { mode, network };
  const counted = { ...of, answering, providers: providers.length };
  return [
    {
      key: `${mode} ${network} none`,
      now: answering === 0,
      loudness: 'error',
      begins: 'no provider of a network answers: everything on it is paused',
      ends: 'a provider of the network answers again',
      detail: counted,
    },
    {
      key: `${mode} ${network} few`,
      now: missing > 0 && providers.length > 1,
      covered: answering === 0,
      loudness: 'error',
      begins: 'only one provider of a network answers: operations that need two are paused',
      ends: 'two providers of the network answer again',
      detail: counted,
    },
    ...providers.map(
      ({ name: provider, problem }): ProviderTrouble => ({
        key: `${mode} ${network} provider ${provider}`,
        now: problem !== null,
        loudness: 'warn',
        begins: 'a provider does not answer and is skipped',
        ends: 'a provider answers again',
        detail: { ...of, provider, ...(problem !== null && { why: problem }) },
      }),
    ),
  ];
}

/** A problem that appears and disappears repeatedly counts as one problem. It is over after this many checks without it. */
const CALM_LOOKS = 4;

function makeTroubleLog(say: WriteLog): (troubles: readonly ProviderTrouble[]) => void {
  /** For each problem, the number of checks since the problem was last seen. */
  const logged = new Map<string, number>();
  return (troubles) => {
    for (const { key, now, covered, loudness, begins, ends, detail } of troubles) {
      const calm = logged.get(key);
      if (now) {
        if (calm === undefined && covered !== true) say(loudness, begins, detail);
        logged.set(key, 0);
      } else if (calm !== undefined) {
        logged.set(key, calm + 1);
        if (calm + 1 < CALM_LOOKS) continue;
        logged.delete(key);
        say('info', ends, detail);
      }
    }
  };
}

function makeGauges(instruments: Instruments): (readings: readonly ProvidersReading[]) => void {
  const each = ['mode', 'network', 'provider'] as const;
  const up = instruments.gauge(
    'sliproad_network_provider_up',
    '1 while a provider answers, 0 while it does not.',
    each,
  );
  const silent = instruments.gauge(
    'sliproad_network_provider_silent_seconds',
    'How long a provider has not answered. A provider that is not needed is checked every minute.',
    each,
  );
  const failures = instruments.totals(
    'sliproad_network_provider_failures_total',
    'Failures of a provider since this process started.',
    each,
  );
  const missing = instruments.gauge(
    'sliproad_network_providers_missing',
    'How many more providers of a network must answer before all its operations can continue.',
    ['mode', 'network'],
  );
  return (readings) => {
    const states = readings.flatMap(({ mode, network, providers }) =>
      providers.map((state) => ({ state, labels: { mode, network, provider: state.name } })),
    );
    up(states.map(({ state, labels }) => ({ labels, value: state.problem === null ? 1 : 0 })));
    silent(states.map(({ state, labels }) => ({ labels, value: state.silentMs / 1_000 })));
    failures(states.map(({ state, labels }) => ({ labels, value: state.failures })));
    missing(readings.map(({ mode, network, missing: value }) => ({ labels: { mode, network }, value })));
  };
}
