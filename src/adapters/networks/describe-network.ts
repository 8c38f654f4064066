// A configured network, described only by its settings. The command line uses it to show amounts and check addresses without keys
// and without a provider.
import type { AddressCheck, NetworkDescription } from '../../ports/networks/network.ts';
import { makeEvmAddressCheck } from './evm/address.ts';
import type { NetworkSettings } from './settings/settings.ts';
import { makeSolanaAddressCheck } from './solana/address.ts';
import { makeStellarAddressCheck } from './stellar/address.ts';

export function describeNetwork(settings: NetworkSettings): NetworkDescription {
  const { name, assetCode, decimals, native, confirmations, explorerTxUrl } = settings;
  return {
    name,
    asset: { code: assetCode, decimals },
    native,
    confirmations,
    checkAddress: addressCheckOf(settings),
    explorerUrl: (hash) => explorerTxUrl?.replace('{hash}', hash) ?? null,
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
