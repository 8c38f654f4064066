// The facts of the business, its default wallets in both modes, and the networks they may be on.
import { pathTo, put } from '../../../api/calls.ts';
import type { Wallet } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { useRead } from '../../../api/reads.ts';
import { type Mode, useBusinessPlace } from '../../../frame/place.ts';

export function useBusiness() {
  const { params } = useBusinessPlace();
  return useRead('/businesses/{business_id}', { params });
}

export function useNetworks(mode: Mode) {
  const { params } = useBusinessPlace();
  return useRead('/businesses/{business_id}/networks/{mode}', { params: { ...params, mode } });
}

/** Null removes the wallet. */
export function useSetWallet(mode: Mode, onDone: () => void) {
  const { params } = useBusinessPlace();
  const set = (wallet: Wallet | null) =>
    put('/businesses/{business_id}/default-wallet', { params, body: { mode, ...wallet } });
  return useAction(set, {
    refreshes: [pathTo('/businesses/{business_id}', { params })],
    quiet: true,
    done: (_answer, wallet) =>
      wallet === null ? 'The default wallet is removed.' : 'The default wallet is saved.',
    onDone,
  });
}
