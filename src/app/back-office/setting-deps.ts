// What settings need: the desk that writes them, the back office they are read from, and the bank directory.
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { SettingDesk, SettingWrite } from '../../ports/setting-desk.ts';
import type { BackOfficeDeps } from './manage-keys.ts';

export interface SettingDeps extends Pick<BackOfficeDeps, 'backOffice' | 'clock' | 'entropy'> {
  readonly settingDesk: SettingDesk;
  readonly banks: BankDirectory;
}

/** What a setting would write now, and for which mode. */
export interface PlannedSetting {
  readonly mode: Mode;
  readonly write: SettingWrite;
}
