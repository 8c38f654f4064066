// What operators read and change about vendor accounts.
import { useRead } from '../../../api/reads.ts';
import type { Mode } from '../../../frame/place.ts';
import { doneOrProposed } from '../rules.tsx';

export function useVendors(mode: Mode) {
  return useRead('/operator/vendors/{mode}', { params: { mode } });
}

/** Of each change of vendor accounts. */
export const CHANGE = {
  refreshes: ['/operator/vendors', '/operator/proposals'],
  done: doneOrProposed('Done. Businesses see it at once.'),
};
