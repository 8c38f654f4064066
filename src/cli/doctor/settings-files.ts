// The doctor's check of the banks file: one line per mistake.
import type { Config } from '../../config.ts';
import type { DoctorDesk } from '../../wire/desks/doctor.ts';
import { type Check, ok, problem } from './check.ts';

export function checkBanks({ banksFile }: Config, desk: Pick<DoctorDesk, 'banks'>): Check[] {
  const found = desk.banks();
  if (banksFile === null || found === null)
    return [ok('banks', 'no banks file is configured: live mode accepts no buys and no sells')];
  if (found.ok) return [ok('banks', `the banks file is valid, with ${shown(found.rails)}`)];
  const fix = `Correct ${banksFile.file}, the file named by BANKS_FILE: docs/operate/rail-settings.md. Until then the service does not start.`;
  return found.problems.map((text) => problem('banks', text.replace(/\.$/, ''), fix));
}

function shown(rails: readonly string[]): string {
  return rails.length === 0 ? 'no rail' : `the rails ${rails.join(', ')}`;
}
