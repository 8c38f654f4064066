// Shows the operator the vendors of one mode: the credit source of each account, the payments that buyers are about to make
// into it, and the open proposals.
import type { SettingProposal } from '../../domain/back-office/setting.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { AwaitedMoney, BackOffice, StoredVendor } from '../../ports/back-office.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RailStore } from '../../ports/rails/rail-store.ts';
import type { SettingStore } from '../../ports/setting-store.ts';
import { listCreditSources } from './manage-vendors.ts';

export interface ShowVendorsDeps {
  readonly backOffice: Pick<BackOffice, 'listVendors' | 'awaitedMoney'>;
  readonly settingDesk: Pick<SettingStore, 'listOpenProposals'>;
  readonly railDesk: Pick<RailStore, 'list'>;
  readonly clock: Clock;
}

export interface ShownVendor {
  readonly vendor: StoredVendor;
  readonly awaited: AwaitedMoney;
  readonly proposals: readonly SettingProposal[];
}

export interface ShownVendorAccounts {
  readonly vendors: readonly ShownVendor[];
  readonly additions: readonly SettingProposal[];
  readonly sources: readonly string[];
}

export async function showVendors(deps: ShowVendorsDeps, mode: Mode): Promise<ShownVendorAccounts> {
  const open = await deps.settingDesk.listOpenProposals(mode);
  const vendors = (await deps.backOffice.listVendors()).filter((each) => each.mode === mode);
  const nowMs = deps.clock.now();
  const awaited = await deps.backOffice.awaitedMoney(
    mode,
    vendors.map(({ number }) => number),
    nowMs,
  );
  return {
    vendors: vendors.map((vendor) => ({
      vendor,
      awaited: awaited.get(vendor.number) ?? { buys: 0, amountMinor: 0n, isMore: false },
      proposals: open.filter(({ request }) => 'vendorId' in request && request.vendorId === vendor.id),
    })),
    additions: open.filter(({ request }) => request.setting === 'vendor_added'),
    sources: await listCreditSources(deps.railDesk, mode),
  };
}
