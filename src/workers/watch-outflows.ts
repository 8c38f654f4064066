// Compares the outgoing transfers of the treasuries with the transfers that the service signed, even while nothing is being
// signed. It stores the position up to which it compared, and checks transactions that were declared dead.
import { type DeadSendsDeps, watchDeadSends } from '../app/movements/sends/watch-dead-sends.ts';
import type { TreasuryGuard } from '../app/treasury/guard-treasury.ts';
import { MODES } from '../domain/values/mode.ts';
import { tokenAsset } from '../domain/values/money.ts';
import type { Instruments } from '../ports/instruments.ts';
import type { Network, Networks } from '../ports/networks/network.ts';
import type { Guards } from '../ports/operations/guards.ts';
import type { TreasuryWatch } from '../ports/treasury.ts';
import { type Loop, startLoop } from './loop.ts';

export interface WatchOutflowsDeps extends DeadSendsDeps {
  readonly treasuryWatch: TreasuryWatch;
  readonly guard: TreasuryGuard;
  readonly networks: Networks;
  readonly instruments: Instruments;
  readonly guards: Pick<Guards, 'guard'>;
  readonly onError: (error: Error) => void;
}

export function startOutflowWatch(deps: WatchOutflowsDeps, everyMs: number): Loop {
  const unexplained = deps.instruments.gauge(
    'sliproad_outflows_unexplained',
    'Transfers out of a treasury that no payment explains and that two people have not accepted.',
    ['mode', 'network'],
  );
  /** For each network, the hash after which the next check of dead transactions continues. */
  const asked = new Map<string, string>();
  const name = 'The watch over what leaves the treasuries';
  return startLoop({
    everyMs,
    guard: deps.guards.guard({ name, everyMs, stops: 'tokens' }),
    turn: async () => {
      const all = MODES.flatMap((mode) =>
        deps.networks.enabled(mode).map((network) => ({ mode, network, of: `${mode} ${network.name}` })),
      );
      // The networks are checked concurrently, so that a slow network does not delay the comparison of the others.
      await Promise.all(
        all.map(async ({ mode, network, of }) => {
          // If a chain cannot be read, only sends of its own tokens stop.
          const asset = tokenAsset(network.asset.code, network.name);
          const own = deps.guards.guard({ name, everyMs, stops: 'tokens', mode, asset });
          try {
            await deps.guard.check(mode, network);
            const { after } = await watchDeadSends(deps, mode, network, asked.get(of) ?? '');
            asked.set(of, after ?? '');
            own.completed();
          } catch (error) {
            own.failed(error as Error);
            deps.onError(nameNetworkInError(error as Error, network));
          }
        }),
      );
      await deps.guard.keepPositions();
      const findings = await deps.treasuryWatch.openFindings();
      unexplained(
        all.map(({ mode, network: { name } }) => ({
          labels: { mode, network: name },
          value: findings.filter((each) => each.mode === mode && each.network === name).length,
        })),
      );
    },
    onError: deps.onError,
  });
}

function nameNetworkInError(error: Error, { name }: Network): Error {
  return new Error(`${name}: the outflows of its treasury cannot be read: ${error.message}`, {
    cause: error,
  });
}
