// A configured network as far as its settings describe it: commands show amounts and check addresses with it, without keys and
// without a provider that answers.
import type { AddressCheck, Network } from '../../ports/network.ts';
import { makeEvmAddressCheck } from './evm/address.ts';
import type { NetworkSettings } from './settings/settings.ts';
import { makeSolanaAddressCheck } from './solana/address.ts';
import { makeStellarAddressCheck } from './stellar/address.ts';

export function describedNetwork(settings: NetworkSettings): Network {
  const { name, assetCode, decimals, native, confirmations, finalAfterMs, explorerTxUrl } = settings;
  const closed = async () => {
    throw new Error(`${name} is not opened here`);
  };
  return {
    name,
    asset: { code: assetCode, decimals },
    native,
    confirmations,
    finalAfterMs,
    observeEveryMs: 0,
    orderedBy: null,
    sweeps: false,
    checkAddress: addressCheckOf(settings),
    depositTarget: () => {
      throw new Error(`${name} is not opened here`);
    },
    explorerUrl: (hash) => explorerTxUrl?.replace('{hash}', hash) ?? null,
    recipientReady: closed,
    prepare: closed,
    replace: closed,
    cancel: closed,
    broadcast: closed,
    ask: closed,
    observe: closed,
    confirm: closed,
    outflows: closed,
    treasury: closed,
    providers: async () => [],
  };
}

function addressCheckOf(settings: NetworkSettings): (text: string) => AddressCheck {
  const rules = { network: settings.name, token: [settings.token], own: [] };
  switch (settings.family) {
    case 'evm':
      return makeEvmAddressCheck(rules);
    case 'solana':
      return makeSolanaAddressCheck({ ...rules, offCurve: settings.offCurve });
    case 'stellar':
      return makeStellarAddressCheck(rules);
  }
}
