// Takes vendors off the list if their account stopped receiving credits, so that no further buy is paid into that account. Only
// a person can put a vendor back, because the service cannot know whether the account works again.
import { isSilentVendor, type SilencePolicy } from '../../domain/catalogue/vendors.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SilentVendors, VendorSilence } from '../../ports/reconciliation.ts';

export interface SilentVendorDeps {
  readonly silentVendors: SilentVendors;
  readonly clock: Clock;
  readonly policy: SilencePolicy & { readonly modes: readonly Mode[] };
}

export async function checkSilentVendors(deps: SilentVendorDeps): Promise<readonly VendorSilence[]> {
  const { silentVendors, clock, policy } = deps;
  const found: VendorSilence[] = [];
  for (const mode of policy.modes) {
    const nowMs = clock.now();
    await silentVendors.endOver(mode, nowMs);
    for (const vendor of await silentVendors.records(mode, nowMs)) {
      if (!isSilentVendor(vendor, policy, nowMs)) continue;
      const silence = await silentVendors.silence(vendor, nowMs);
      if (silence !== undefined) found.push(silence);
    }
  }
  return found;
}
