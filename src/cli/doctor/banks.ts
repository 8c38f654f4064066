// The doctor's check of the banks file: one line per mistake.
import type { Config } from '../../config.ts';
import type { DoctorProbes } from '../../wire/admin/doctor-probes.ts';
import { type DoctorCheck, okCheck, problemCheck } from './check.ts';

export function checkBanks({ banksFile }: Config, desk: Pick<DoctorProbes, 'banks'>): DoctorCheck[] {
  const found = desk.banks();
  if (banksFile === null || found === null)
    return [okCheck('banks', 'no banks file is configured: live mode accepts no buys and no sells')];
  if (found.ok) return [okCheck('banks', `the banks file is valid, with ${railList(found.rails)}`)];
  const fix = `Correct ${banksFile.file}, the file named by BANKS_FILE: docs/operate/rail-settings.md. Until then the service does not start.`;
  return found.problems.map((text) => problemCheck('banks', text.replace(/\.$/, ''), fix));
}

function railList(rails: readonly string[]): string {
  return rails.length === 0 ? 'no rail' : `the rails ${rails.join(', ')}`;
}
