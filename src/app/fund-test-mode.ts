// Gives test mode something to pay with: tokens on every network and naira at the bank, as the operator's capital. Done
// once; safe to run at every start.
import { NAIRA, tokenAsset } from '../domain/assets.ts';
import { entryOf, keyOf } from '../domain/ledger.ts';
import { koboToToken } from '../domain/money.ts';
import type { Clock } from '../ports/clock.ts';
import type { Networks } from '../ports/network.ts';
import type { Store } from '../ports/store.ts';

/** A trillion naira: what the simulated networks hold at first, too. */
const OPENING_MINOR = 10n ** 14n;

export async function fundTestMode(deps: {
  readonly store: Store;
  readonly clock: Clock;
  readonly networks: Networks;
}): Promise<void> {
  const mode = 'test';
  const assets = deps.networks.enabled(mode).map(({ asset, name }) => ({
    asset: tokenAsset(asset.code, name),
    tokens: koboToToken(OPENING_MINOR, asset.decimals)!,
  }));
  const keys = [NAIRA, ...assets.map(({ asset }) => asset)].map((asset) => keyOf(mode, asset, 'capital'));
  const funded = await deps.store.balances(keys);
  const entries = [
    ...(funded.has(keyOf(mode, NAIRA, 'capital'))
      ? []
      : [entryOf('float_funded', { mode, subjectId: 'setup', amounts: { amount: OPENING_MINOR } })]),
    ...assets
      .filter(({ asset }) => !funded.has(keyOf(mode, asset, 'capital')))
      .map(({ asset, tokens }) =>
        entryOf('treasury_funded', { mode, subjectId: 'setup', asset, amounts: { tokens } }),
      ),
  ];
  if (entries.length > 0) await deps.store.commit([{ atMs: deps.clock.now(), entries }]);
}
