// Vendor accounts as the service answers them, and their changes.
import { post, put } from '../../../api/client.ts';
import { useAction, useRead } from '../../../api/query.ts';

export interface VendorProposal {
  readonly proposal_id: string;
  readonly setting: string;
  readonly proposed_by: string;
  readonly proposed_at: string;
  readonly name: string | null;
  readonly number: string | null;
  readonly bank: string | null;
  readonly source: string | null;
}

export interface Vendor {
  readonly vendor_id: string;
  readonly name: string;
  readonly number: string;
  readonly bank: string;
  readonly enabled: boolean;
  /** Which source gives value for the account. Null: none yet. */
  readonly source: string | null;
  readonly awaited: { readonly buys: number; readonly amount: string; readonly is_more: boolean };
  readonly proposals: readonly VendorProposal[];
}

interface Vendors {
  readonly vendors: readonly Vendor[];
  readonly additions: readonly VendorProposal[];
  /** What can give value for an account in this mode. */
  readonly sources: readonly string[];
  /** Whether a new, renamed or enabled account, or another source, takes two people in this mode. */
  readonly needs_two: boolean;
}

const VENDORS = '/operator/vendors';

export function useVendors(mode: string) {
  return useRead<Vendors>(`${VENDORS}/${mode}`);
}

export type VendorChange =
  | {
      readonly kind: 'add';
      readonly mode: string;
      readonly name: string;
      readonly number: string;
      readonly bank: string;
    }
  | { readonly kind: 'rename'; readonly vendorId: string; readonly name: string }
  | { readonly kind: 'enable'; readonly vendorId: string; readonly enabled: boolean }
  | { readonly kind: 'source'; readonly vendorId: string; readonly source: string };

interface Changed {
  readonly done: boolean;
}

function change(given: VendorChange): Promise<Changed> {
  const at = '/operator/settings/vendors';
  if (given.kind === 'add') {
    const { mode, name, number, bank } = given;
    return post<Changed>(at, { mode, name, number, bank });
  }
  const own = `${at}/${encodeURIComponent(given.vendorId)}`;
  if (given.kind === 'rename') return put<Changed>(`${own}/name`, { name: given.name });
  if (given.kind === 'source') return put<Changed>(`${own}/source`, { source: given.source });
  return put<Changed>(`${own}/enabled`, { enabled: given.enabled });
}

export function useVendorChange(onDone: () => void, said = 'Done. Businesses see it at once.') {
  return useAction<VendorChange, Changed>(change, {
    refreshes: [VENDORS, '/operator/proposals'],
    done: ({ done }) =>
      done ? said : 'Proposed. It takes effect when another person approves it under Proposals.',
    onDone,
    quiet: true,
  });
}
