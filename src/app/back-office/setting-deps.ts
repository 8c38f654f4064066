// The dependencies of settings: the store that writes settings, the back office that reads them, and the bank directory.
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { RailStore } from '../../ports/rails/rail-store.ts';
import type { SettingStore, SettingWrite } from '../../ports/setting-store.ts';
import type { RateDeps } from '../rates/judge-prices.ts';
import type { BackOfficeDeps } from './manage-keys.ts';

export interface SettingDeps
  extends Pick<BackOfficeDeps, 'backOffice' | 'clock' | 'entropy'>,
    Pick<RateDeps, 'rateStore' | 'ratePlan'> {
  readonly settingDesk: SettingStore;
  readonly banks: BankDirectory;
  readonly railDesk: Pick<RailStore, 'list' | 'settings'>;
}

export interface PlannedSetting {
  readonly mode: Mode;
  readonly write: SettingWrite;
  /**
   * The reason why this change needs two people, for settings that one person can sometimes change alone. If it is omitted, the
   * table of decisions says how many people the setting needs.
   */
  readonly whyTwo?: string | null;
}
