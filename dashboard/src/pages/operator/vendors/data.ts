// What operators read and change about vendor accounts.
import { post, put } from '../../../api/calls.ts';
import type { AddVendorBody } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { useRead } from '../../../api/reads.ts';
import type { Mode } from '../../../frame/place.ts';

export function useVendors(mode: Mode) {
  return useRead('/operator/vendors/{mode}', { params: { mode } });
}

export type VendorChange =
  | { readonly kind: 'add'; readonly vendor: AddVendorBody }
  | { readonly kind: 'rename'; readonly vendorId: string; readonly name: string }
  | { readonly kind: 'enable'; readonly vendorId: string; readonly enabled: boolean }
  | { readonly kind: 'source'; readonly vendorId: string; readonly source: string };

function change(given: VendorChange) {
  if (given.kind === 'add') return post('/operator/settings/vendors', { body: given.vendor });
  const params = { vendor_id: given.vendorId };
  if (given.kind === 'rename')
    return put('/operator/settings/vendors/{vendor_id}/name', { params, body: { name: given.name } });
  if (given.kind === 'source')
    return put('/operator/settings/vendors/{vendor_id}/source', { params, body: { source: given.source } });
  return put('/operator/settings/vendors/{vendor_id}/enabled', { params, body: { enabled: given.enabled } });
}

export function useVendorChange(onDone: () => void, said = 'Done. Businesses see it at once.') {
  return useAction(change, {
    refreshes: ['/operator/vendors', '/operator/proposals'],
    done: ({ done }) =>
      done ? said : 'Proposed. It takes effect when another person approves it under Proposals.',
    onDone,
    quiet: true,
  });
}
