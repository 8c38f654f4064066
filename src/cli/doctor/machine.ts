// The doctor's checks of the machine and its files: disk, key files, clock, banks file, rates file.
import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config.ts';
import type { DoctorProbes } from '../../wire/admin/doctor-probes.ts';
import { type DoctorCheck, okCheck, problemCheck, reasonOf, warningCheck } from './check.ts';

const MEGABYTE = 1_048_576;
const LOW_BYTES = 2_048 * MEGABYTE;
const EMPTY_BYTES = 200 * MEGABYTE;

export async function checkDisk({ dataDir }: Config, freeIn = readFreeBytes): Promise<DoctorCheck> {
  // A missing data directory will be created, so the disk of its nearest existing parent counts.
  let place = dataDir;
  while (!existsSync(place) && path.dirname(place) !== place) place = path.dirname(place);
  const free = await freeIn(place);
  const text = `${Math.floor(free / MEGABYTE).toLocaleString('en')} MB are free for DATA_DIR (${dataDir})`;
  const fix = 'Free some space, or move DATA_DIR to a larger disk. On a full disk, writes get status 503.';
  if (free < EMPTY_BYTES) return problemCheck('disk', text, fix);
  return free < LOW_BYTES ? warningCheck('disk', text, fix) : okCheck('disk', text);
}

async function readFreeBytes(place: string): Promise<number> {
  const { bavail, bsize } = await statfs(place);
  return bavail * bsize;
}

export async function checkKeys(config: Config, desk: DoctorProbes): Promise<DoctorCheck[]> {
  return [...(await checkSecretsKeys(config, desk)), ...(await checkSignerKeys(config, desk))];
}

async function checkSecretsKeys(
  { secretsKeyFile: file, databaseUrl }: Config,
  desk: DoctorProbes,
): Promise<DoctorCheck[]> {
  if (!existsSync(file)) {
    if (databaseUrl === null)
      return [okCheck('keys', `the first start creates the key file of stored secrets (${file})`)];
    const fix = `Copy the file from another machine to ${file}. Only for a new installation: bin/sliproad secrets make-key ${file}`;
    return [problemCheck('keys', `the key file of stored secrets is missing (${file})`, fix)];
  }
  const open = checkReadableByOthers('the key file of stored secrets', file);
  try {
    await desk.openSecretsFile();
    return open.length > 0 ? open : [okCheck('keys', `the key file of stored secrets is valid (${file})`)];
  } catch (error) {
    return [...open, problemCheck('keys', reasonOf(error), 'Restore the right copy of the file.')];
  }
}

async function checkSignerKeys(config: Config, desk: DoctorProbes): Promise<DoctorCheck[]> {
  const { keyFile } = config.signer;
  if (!existsSync(keyFile)) {
    if (config.networksFile === null) return [];
    const fix = 'Restore the file from a copy, or create a key: bin/sliproad signer create-key NAME';
    return [problemCheck('keys', `the signer's key file is missing (${keyFile})`, fix)];
  }
  const open = checkReadableByOthers("the signer's key file", keyFile);
  try {
    await desk.openSignerKeys();
    return open.length > 0 ? open : [okCheck('keys', `the passphrase opens the signer's keys (${keyFile})`)];
  } catch (error) {
    const fix = 'Correct SIGNER_PASSPHRASE_FILE, or restore the right key file.';
    return [...open, problemCheck('keys', reasonOf(error), fix)];
  }
}

function checkReadableByOthers(what: string, file: string): DoctorCheck[] {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return [];
  return [problemCheck('keys', `${what} can be read by others (${file})`, `chmod 600 ${file}`)];
}

const OFF_MS = 1_000;
const FAR_OFF_MS = 30_000;
const MEND_CLOCK = 'Synchronise the clock with NTP, for example: timedatectl set-ntp true';

/**
 * Checks the clock of this machine against another clock. The service uses the clock of the database. Signatures and the codes
 * of second factors need the correct time.
 */
export function checkClock(aheadMs: number, than: string, grainMs = 0): DoctorCheck {
  const off = Math.abs(aheadMs);
  const seconds = Math.round(off / 100) / 10;
  const text = `this machine's clock is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} ${than}`;
  if (off > FAR_OFF_MS) return problemCheck('clock', text, MEND_CLOCK);
  if (off > OFF_MS + grainMs) return warningCheck('clock', text, MEND_CLOCK);
  return okCheck('clock', `this machine's clock agrees with ${than}`);
}

/** One line per mistake in the file. */
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

/** One line per mistake in the file. */
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
