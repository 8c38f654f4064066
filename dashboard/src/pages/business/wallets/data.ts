// The facts of the business, its default wallets in both modes, and the networks they may be on.
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
