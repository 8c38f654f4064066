// Funds test mode with tokens on every network and naira at the bank, as the operator's capital. If a wallet really holds
// tokens, the books begin with those tokens. The funding happens only once, and the function may run at every start.
import { ledgerKey } from '../../domain/ledger/chart-of-accounts.ts';
import { entryOf } from '../../domain/ledger/ledger.ts';
import { koboToToken, NAIRA, tokenAsset } from '../../domain/values/money.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Network, Networks } from '../../ports/networks/network.ts';
import type { Store } from '../../ports/store/store.ts';

/** One trillion naira, like the initial balance of the simulated networks. */
const OPENING_MINOR = 10n ** 14n;

export async function fundTestMode(deps: {
  readonly store: Store;
  readonly clock: Clock;
  readonly networks: Pick<Networks, 'enabled'>;
  /**
   * True if the books of a network start with the balance of its treasury. On other networks, the service books deposits when
   * they arrive.
   */
  readonly opens: (network: Network) => boolean;
}): Promise<void> {
  const mode = 'test';
  const assets = deps.networks
    .enabled(mode)
    .filter(deps.opens)
    .map((network) => {
      const asset = tokenAsset(network.asset.code, network.name);
      const keys = (['capital', 'treasury'] as const).map((account) => ledgerKey(mode, asset, account));
      return { network, asset, keys };
    });
  const naira = ledgerKey(mode, NAIRA, 'capital');
  const booked = await deps.store.balances([naira, ...assets.flatMap(({ keys }) => keys)]);
  const fresh = assets.filter(({ keys }) => !keys.some((key) => booked.has(key)));
  const openings = await Promise.all(
    fresh.map(async ({ network, asset }) => ({ asset, tokens: await openingBalanceOf(network) })),
  );
  const entries = [
    ...(booked.has(naira)
      ? []
      : [
          entryOf('float_funded', {
            mode,
            subjectId: 'setup',
            payoutAccount: null,
            amounts: { amount: OPENING_MINOR },
          }),
        ]),
    ...openings
      .filter(({ tokens }) => tokens > 0n)
      .map(({ asset, tokens }) =>
        entryOf('treasury_funded', { mode, subjectId: 'setup', asset, amounts: { tokens } }),
      ),
  ];
  if (entries.length > 0) await deps.store.commit([{ atMs: deps.clock.now(), entries }]);
}

async function openingBalanceOf({ treasury, asset }: Network): Promise<bigint> {
  return (await treasury())?.tokenMinor ?? koboToToken(OPENING_MINOR, asset.decimals)!;
}
