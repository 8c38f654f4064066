// The doctor's check of the rates file: one line per mistake.
import type { Config } from '../../config.ts';
import type { DoctorDesk } from '../../wire/desks/doctor.ts';
import { type Check, ok, problem } from './check.ts';

export function checkRates({ rates }: Config, desk: Pick<DoctorDesk, 'rates'>): Check[] {
  const found = desk.rates();
  if (rates === null || found === null)
    return [ok('rates', 'no rates file is configured: only the desk prices live mode')];
  if (found.ok) return [ok('rates', `the rates file is valid, with ${shown(found.sources)}`)];
  const fix = `Correct ${rates.file}, the file named by RATES_FILE: docs/operate/rates.md, Sources. Until then the service does not start.`;
  return found.problems.map((text) => problem('rates', text.replace(/\.$/, ''), fix));
}

function shown(sources: readonly string[]): string {
  return sources.length === 0 ? 'no source' : `the sources ${sources.join(', ')}`;
}
