// Which service a client command talks to, with which key: options, environment variables, or the sandbox of DATA_DIR. A key
// is never an option, because every process of the machine can read those.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Sliproad } from '../../../sdk/src/index.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Terminal } from '../command.ts';
import { CommandError } from '../terminal/failure.ts';
import type { OptionTable } from '../terminal/options.ts';

export const SERVICE_OPTIONS = {
  'base-url': {
    value: 'URL',
    about: 'address of the service; default SLIPROAD_BASE_URL, or that of the sandbox',
  },
  'key-file': {
    value: 'FILE',
    about: 'file with the secret key; default SLIPROAD_SECRET_KEY, or the test key of DATA_DIR/sandbox.json',
  },
} as const satisfies OptionTable;

export interface ServiceOptions {
  readonly 'base-url': string | undefined;
  readonly 'key-file': string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface ServiceAccess {
  readonly secretKey: string;
  readonly baseUrl: string;
  /** Only buys and sells send them. */
  readonly businessId: string | undefined;
  readonly linkTag: string | undefined;
  readonly mode: Mode;
  /** Where the key is from, for people. */
  readonly from: string;
  readonly isSandbox: boolean;
}

export interface Connected extends ServiceAccess {
  readonly client: Sliproad;
}

/** A stream that cannot be opened within this time is tried again. */
const TIMEOUT_MS = 5_000;

export function connect(terminal: Terminal, options: ServiceOptions): Connected {
  const { dataDir, secretKeyHeader } = terminal.config;
  const access = findAccess(options, process.env, dataDir);
  terminal.note(`Service ${access.baseUrl}, ${access.mode} mode (key: ${access.from})`);
  // The SDK asks for a business when it is made; the commands that send one have checked that it is there.
  const { businessId = 'not given', linkTag = 'not given', secretKey, baseUrl } = access;
  const settings = { secretKey, baseUrl, businessId, linkTag, secretKeyHeader, timeoutMs: TIMEOUT_MS };
  return { ...access, client: new Sliproad(settings) };
}

export function findAccess(options: ServiceOptions, env: Environment, dataDir: string): ServiceAccess {
  const given = givenKey(options, env);
  const baseUrl = options['base-url'] ?? (env.SLIPROAD_BASE_URL || undefined);
  const access = given === undefined ? sandboxAccess(dataDir, baseUrl) : { ...given, baseUrl };
  if (access.baseUrl === undefined)
    throw new CommandError(
      `The key is from ${access.from}, and the address of its service is missing: give --base-url URL or set SLIPROAD_BASE_URL.`,
      'usage',
    );
  const found = {
    ...access,
    baseUrl: access.baseUrl,
    businessId: (env.SLIPROAD_BUSINESS_ID || undefined) ?? access.businessId,
    linkTag: (env.SLIPROAD_LINK_TAG || undefined) ?? access.linkTag,
    mode: modeOf(access.secretKey, access.from),
    isSandbox: given === undefined,
  };
  refusePlainHttp(found);
  return found;
}

interface Found {
  readonly secretKey: string;
  readonly baseUrl: string | undefined;
  readonly businessId?: string | undefined;
  readonly linkTag?: string | undefined;
  readonly from: string;
}

function givenKey(options: ServiceOptions, env: Environment): Omit<Found, 'baseUrl'> | undefined {
  const file = options['key-file'];
  if (file !== undefined) return { secretKey: readText(file, '--key-file').trim(), from: file };
  const secretKey = env.SLIPROAD_SECRET_KEY?.trim();
  return secretKey ? { secretKey, from: 'SLIPROAD_SECRET_KEY' } : undefined;
}

function sandboxAccess(dataDir: string, baseUrl: string | undefined): Found {
  const file = path.join(dataDir, 'sandbox.json');
  const shown = path.relative('', file).startsWith('..') ? file : path.relative('', file);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      `No secret key is given, and the sandbox file ${shown} cannot be read (${code}). Start a sandbox in this directory (bin/sliproad serve), set DATA_DIR, or give --key-file FILE and --base-url URL.`,
      'usage',
    );
  }
  const sandbox = parse(text, shown);
  return {
    secretKey: sandbox.test_key ?? '',
    baseUrl: baseUrl ?? sandbox.base_url,
    businessId: sandbox.business_id,
    linkTag: sandbox.link_tag,
    from: shown,
  };
}

function parse(text: string, shown: string): Readonly<Record<string, string | undefined>> {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${shown} is not JSON. Delete it and start the service: it writes it anew.`);
  }
}

export function readText(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(`${option}: ${file} cannot be read (${code}).`, 'usage');
  }
}

function modeOf(secretKey: string, from: string): Mode {
  const match = /^sk_(live|test)_\S+$/.exec(secretKey);
  if (match !== null) return match[1] as Mode;
  throw new CommandError(
    `${from} holds no secret key: it must be one line, sk_test_… or sk_live_….`,
    'usage',
  );
}

/** A live key moves money: it does not travel unencrypted. */
function refusePlainHttp({ mode, baseUrl }: { readonly mode: Mode; readonly baseUrl: string }): void {
  if (mode === 'test' || !URL.canParse(baseUrl)) return; // the SDK names what is wrong with an address
  const { protocol, hostname } = new URL(baseUrl);
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === 'https:' || isHere) return;
  throw new CommandError(
    `A live key is not sent over ${protocol}// to ${hostname}: others could read it on the way. Give an address that begins with https://.`,
    'usage',
  );
}
