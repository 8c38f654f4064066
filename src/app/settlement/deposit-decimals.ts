// How many decimals the token of a deposit has. Its sell was made with them, so they are known while the network is disabled;
// a deposit that people gave to a sell may have come on another network than the sell names.
import type { Deposit } from '../../domain/records/deposit.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { DescribedNetworks } from '../../ports/network/network.ts';

/** Throws while it is not known: the caller tries again later. */
export function depositDecimals(
  { networks }: { readonly networks: DescribedNetworks },
  { deposits }: Transaction,
  { mode, network }: Deposit,
): number {
  const instruction = deposits.find((each) => each.network === network);
  const decimals = instruction?.decimals ?? networks.find(mode, network)?.asset.decimals;
  if (decimals !== undefined) return decimals;
  throw new Error(`the decimals of ${network} are not known while it is not enabled`);
}
