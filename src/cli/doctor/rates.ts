// The doctor's check of the rates file: one line per mistake.
import type { Config } from '../../config.ts';
import type { DoctorProbes } from '../../wire/admin/doctor-probes.ts';
import { type DoctorCheck, okCheck, problemCheck } from './check.ts';

export function checkRates({ rates }: Config, desk: Pick<DoctorProbes, 'rates'>): DoctorCheck[] {
  const found = desk.rates();
  if (rates === null || found === null)
    return [okCheck('rates', 'no rates file is configured: live mode uses only desk prices')];
  if (found.ok) return [okCheck('rates', `the rates file is valid, with ${sourceList(found.sources)}`)];
  const fix = `Correct ${rates.file}, the file named by RATES_FILE: docs/operate/rates.md, Sources. Until then the service does not start.`;
  return found.problems.map((text) => problemCheck('rates', text.replace(/\.$/, ''), fix));
}

function sourceList(sources: readonly string[]): string {
  return sources.length === 0 ? 'no source' : `the sources ${sources.join(', ')}`;
}
