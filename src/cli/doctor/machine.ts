// The doctor's checks of the machine: disk, key files, clock.
import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config.ts';
import type { DoctorDesk } from '../../wire/desks/doctor.ts';
import { type Check, ok, problem, reasonOf, warning } from './check.ts';

const MEGABYTE = 1_048_576;
const LOW_BYTES = 2_048 * MEGABYTE;
const EMPTY_BYTES = 200 * MEGABYTE;

export async function checkDisk({ dataDir }: Config, freeIn = freeBytes): Promise<Check> {
  // A missing directory will be created on the disk of its nearest existing parent.
  let place = dataDir;
  while (!existsSync(place) && path.dirname(place) !== place) place = path.dirname(place);
  const free = await freeIn(place);
  const text = `${Math.floor(free / MEGABYTE).toLocaleString('en')} MB are free for DATA_DIR (${dataDir})`;
  const fix = 'Free some space, or move DATA_DIR to a larger disk. On a full disk, writes get status 503.';
  if (free < EMPTY_BYTES) return problem('disk', text, fix);
  return free < LOW_BYTES ? warning('disk', text, fix) : ok('disk', text);
}

async function freeBytes(place: string): Promise<number> {
  const { bavail, bsize } = await statfs(place);
  return bavail * bsize;
}

export async function checkKeys(config: Config, desk: DoctorDesk): Promise<Check[]> {
  return [...(await secretsCheck(config, desk)), ...(await signerCheck(config, desk))];
}

async function secretsCheck(
  { secretsKeyFile: file, databaseUrl }: Config,
  desk: DoctorDesk,
): Promise<Check[]> {
  if (!existsSync(file)) {
    if (databaseUrl === null)
      return [ok('keys', `the first start creates the key file of stored secrets (${file})`)];
    const fix = `Copy the file from another machine to ${file}. Only for a new installation: bin/sliproad secrets make-key ${file}`;
    return [problem('keys', `the key file of stored secrets is missing (${file})`, fix)];
  }
  const open = readableByOthers('the key file of stored secrets', file);
  try {
    await desk.openSecretsFile();
    return open.length > 0 ? open : [ok('keys', `the key file of stored secrets is valid (${file})`)];
  } catch (error) {
    return [...open, problem('keys', reasonOf(error), 'Restore the right copy of the file.')];
  }
}

async function signerCheck(config: Config, desk: DoctorDesk): Promise<Check[]> {
  const { keyFile } = config.signer;
  if (!existsSync(keyFile)) {
    if (config.networksFile === null) return [];
    const fix = 'Restore the file from a copy, or create a key: bin/sliproad signer create-key NAME';
    return [problem('keys', `the signer's key file is missing (${keyFile})`, fix)];
  }
  const open = readableByOthers("the signer's key file", keyFile);
  try {
    await desk.openSignerKeys();
    return open.length > 0 ? open : [ok('keys', `the passphrase opens the signer's keys (${keyFile})`)];
  } catch (error) {
    const fix = 'Correct SIGNER_PASSPHRASE_FILE, or restore the right key file.';
    return [...open, problem('keys', reasonOf(error), fix)];
  }
}

function readableByOthers(what: string, file: string): Check[] {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return [];
  return [problem('keys', `${what} can be read by others (${file})`, `chmod 600 ${file}`)];
}

const OFF_MS = 1_000;
const FAR_OFF_MS = 30_000;
const MEND_CLOCK = 'Synchronise the clock with NTP, for example: timedatectl set-ntp true';

/** The service uses the database's clock; codes of second factors and signatures need the true time. */
export function clockCheck(aheadMs: number, than: string, grainMs = 0): Check {
  const off = Math.abs(aheadMs);
  const seconds = Math.round(off / 100) / 10;
  const text = `this machine's clock is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} ${than}`;
  if (off > FAR_OFF_MS) return problem('clock', text, MEND_CLOCK);
  if (off > OFF_MS + grainMs) return warning('clock', text, MEND_CLOCK);
  return ok('clock', `this machine's clock agrees with ${than}`);
}
