// The files that `npm run banks` writes for the service: the list of rails, a file for each secret, and the setting that points
// to the list. Secrets are created only once, so banks that restart in the same directory keep their secrets.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MonnifySecrets } from './monnify/tokens.ts';
import type { PaystackSecrets } from './paystack/provider.ts';
import type { ProvidusSecrets } from './providus/provider.ts';

export interface BankFiles {
  readonly rails: string;
  readonly environment: string;
  /** The file with the URL of the control port. It exists while the banks run. */
  readonly control: string;
  readonly journal: string;
}

export function bankFilesIn(dir: string): BankFiles {
  return {
    rails: path.join(dir, 'banks.json'),
    environment: path.join(dir, 'environment'),
    control: path.join(dir, 'control-url'),
    journal: path.join(dir, 'journal.jsonl'),
  };
}

export interface BankSecrets {
  readonly providus: ProvidusSecrets;
  readonly paystack: PaystackSecrets;
  readonly monnify: MonnifySecrets;
}

export const SECRET_FILES = {
  providusPassword: 'providus-password',
  providusClientSecret: 'providus-client-secret',
  paystackSecretKey: 'paystack-secret-key',
  monnifyApiKey: 'monnify-api-key',
  monnifySecretKey: 'monnify-secret-key',
} as const;

const randomHex = (bytes: number) => randomBytes(bytes).toString('hex');
const MAKE: Readonly<Record<keyof typeof SECRET_FILES, () => string>> = {
  providusPassword: () => randomHex(12),
  providusClientSecret: () => randomHex(32).toUpperCase(),
  paystackSecretKey: () => `sk_live_${randomHex(20)}`,
  monnifyApiKey: () => `MK_LOCAL_${randomHex(5).toUpperCase()}`,
  monnifySecretKey: () => randomHex(16).toUpperCase(),
};

export async function loadBankSecrets(dir: string): Promise<BankSecrets> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700);
  const load = async (name: keyof typeof SECRET_FILES): Promise<string> => {
    const file = path.join(dir, SECRET_FILES[name]);
    if (!existsSync(file)) {
      // The file gets its final name only when it is complete.
      await writeFile(`${file}.new`, `${MAKE[name]()}\n`, { mode: 0o600 });
      await rename(`${file}.new`, file);
    }
    return (await readFile(file, 'utf8')).trim();
  };
  return {
    providus: {
      ...{ userName: 'sliproad', password: await load('providusPassword') },
      ...{ clientId: 'c2xpcHJvYWQ=', clientSecret: await load('providusClientSecret') },
    },
    paystack: { secretKey: await load('paystackSecretKey') },
    monnify: { apiKey: await load('monnifyApiKey'), secretKey: await load('monnifySecretKey') },
  };
}

export interface BanksFileRow {
  readonly mode: 'live';
  readonly kind: 'nip-bank' | 'paystack' | 'monnify';
  readonly name: string;
  readonly account: { readonly bank_code: string; readonly number: string };
  readonly options: Readonly<Record<string, string | number>>;
}

/** Writes the list of rails last and gives it its final name only when it is complete. The list shows that the banks run. */
export async function writeRails(
  files: BankFiles,
  rails: readonly BanksFileRow[],
  control: string,
): Promise<void> {
  await writeFile(files.environment, `BANKS_FILE=${files.rails}\n`);
  await writeFile(files.control, `${control}\n`);
  await writeFile(`${files.rails}.new`, `${JSON.stringify({ rails, control }, null, 2)}\n`, { mode: 0o600 });
  await rename(`${files.rails}.new`, files.rails);
}

/** After this call, a service cannot find these banks. The journal stays. */
export async function clearRails(files: BankFiles): Promise<void> {
  await Promise.all([files.rails, files.control].map((file) => rm(file, { force: true })));
}
