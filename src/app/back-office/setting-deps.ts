// What settings need: the store that writes them, the back office that reads them, and the bank directory.
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

/** The write of a setting, and its mode. */
export interface PlannedSetting {
  readonly mode: Mode;
  readonly write: SettingWrite;
  /**
   * The reason why this request needs two people, for settings that one person can sometimes change. If omitted, the table of
   * decisions gives the number of people.
   */
  readonly whyTwo?: string | null;
}
