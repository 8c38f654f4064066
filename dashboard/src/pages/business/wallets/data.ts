// The facts of the business, its default wallets in both modes, and the networks they may be on.
import { put } from '../../../api/client.ts';
import { useAction, useRead } from '../../../api/query.ts';
import { type Mode, useBusinessPlace } from '../../../frame/place.ts';
import type { BusinessFacts, Wallet } from '../role.ts';

export interface Network {
  readonly name: string;
  readonly enabled: boolean;
  readonly asset: string | null;
  readonly decimals: number | null;
  readonly explorer: string | null;
}

export function useBusiness() {
  const { api } = useBusinessPlace();
  return useRead<BusinessFacts>(api);
}

export function useNetworks(mode: Mode) {
  const { api } = useBusinessPlace();
  return useRead<{ readonly networks: readonly Network[] }>(`${api}/networks/${mode}`);
}

/** Null removes the wallet. */
export function useSetWallet(mode: Mode, onDone: () => void) {
  const { api } = useBusinessPlace();
  return useAction((wallet: Wallet | null) => put(`${api}/default-wallet`, { mode, ...wallet }), {
    refreshes: [api],
    quiet: true,
    done: (_answer, wallet) =>
      wallet === null ? 'The default wallet is removed.' : 'The default wallet is saved.',
    onDone,
  });
}
