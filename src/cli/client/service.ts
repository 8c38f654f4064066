// Finds the service and the key of a client command in options, environment variables, or the sandbox of DATA_DIR. A key is
// never an option, because every process on the machine can read the options of other processes.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Sliproad } from '../../../sdk/src/index.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Terminal } from '../command.ts';
import { CommandError } from '../terminal/command-error.ts';
import type { OptionTable } from '../terminal/options.ts';

export const SERVICE_OPTIONS = {
  'base-url': {
    value: 'URL',
    about: 'address of the service (default: SLIPROAD_BASE_URL, or the sandbox)',
  },
  'key-file': {
    value: 'FILE',
    about:
      'file with the secret key (default: SLIPROAD_SECRET_KEY, or the test key in DATA_DIR/sandbox.json)',
  },
} as const satisfies OptionTable;

export interface ServiceAccessOptions {
  readonly 'base-url': string | undefined;
  readonly 'key-file': string | undefined;
}

type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

export interface ServiceAccess {
  readonly secretKey: string;
  readonly baseUrl: string;
  /** The id and the link tag of the business. Only buys and sells send them. */
  readonly businessId: string | undefined;
  readonly linkTag: string | undefined;
  readonly mode: Mode;
  /** Where the command found the key, as text for people. */
  readonly from: string;
  readonly isSandbox: boolean;
}

export interface ConnectedService extends ServiceAccess {
  readonly client: Sliproad;
}

/** The time limit for opening an event stream. After this time, the command tries again. */
const TIMEOUT_MS = 5_000;

export function connectService(terminal: Terminal, options: ServiceAccessOptions): ConnectedService {
  const { dataDir, secretKeyHeader } = terminal.config;
  const access = findAccess(options, process.env, dataDir);
  terminal.note(`Service ${access.baseUrl}, ${access.mode} mode (key: ${access.from})`);
  // The SDK requires a business id and a link tag. Commands that send them have already checked that they are set.
  const { businessId = 'not given', linkTag = 'not given', secretKey, baseUrl } = access;
  const settings = { secretKey, baseUrl, businessId, linkTag, secretKeyHeader, timeoutMs: TIMEOUT_MS };
  return { ...access, client: new Sliproad(settings) };
}

export function findAccess(
  options: ServiceAccessOptions,
  env: EnvironmentVariables,
  dataDir: string,
): ServiceAccess {
  const given = findGivenKey(options, env);
  const baseUrl = options['base-url'] ?? (env.SLIPROAD_BASE_URL || undefined);
  const access = given === undefined ? findSandboxAccess(dataDir, baseUrl) : { ...given, baseUrl };
  if (access.baseUrl === undefined)
    throw new CommandError(
      `The key comes from ${access.from}, but the address of its service is missing: use --base-url URL or set SLIPROAD_BASE_URL.`,
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

interface FoundAccess {
  readonly secretKey: string;
  readonly baseUrl: string | undefined;
  readonly businessId?: string | undefined;
  readonly linkTag?: string | undefined;
  readonly from: string;
}

function findGivenKey(
  options: ServiceAccessOptions,
  env: EnvironmentVariables,
): Omit<FoundAccess, 'baseUrl'> | undefined {
  const file = options['key-file'];
  if (file !== undefined) return { secretKey: readTextFile(file, '--key-file').trim(), from: file };
  const secretKey = env.SLIPROAD_SECRET_KEY?.trim();
  return secretKey ? { secretKey, from: 'SLIPROAD_SECRET_KEY' } : undefined;
}

function findSandboxAccess(dataDir: string, baseUrl: string | undefined): FoundAccess {
  const file = path.join(dataDir, 'sandbox.json');
  const shown = path.relative('', file).startsWith('..') ? file : path.relative('', file);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      `There is no secret key, and the sandbox file ${shown} cannot be read (${code}). Start a sandbox in this directory (bin/sliproad serve), set DATA_DIR, or use --key-file FILE and --base-url URL.`,
      'usage',
    );
  }
  const sandbox = parseCredentials(text, shown);
  return {
    secretKey: sandbox.test_key ?? '',
    baseUrl: baseUrl ?? sandbox.base_url,
    businessId: sandbox.business_id,
    linkTag: sandbox.link_tag,
    from: shown,
  };
}

function parseCredentials(text: string, shown: string): Readonly<Record<string, string | undefined>> {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${shown} is not JSON. Delete it and start the service, which writes a new one.`);
  }
}

export function readTextFile(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(`Could not read ${file} (${option}): ${code}.`, 'usage');
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

/** Refuses to send a live key over an unencrypted connection, because a live key moves money. */
function refusePlainHttp({ mode, baseUrl }: { readonly mode: Mode; readonly baseUrl: string }): void {
  if (mode === 'test' || !URL.canParse(baseUrl)) return; // the SDK reports an invalid address
  const { protocol, hostname } = new URL(baseUrl);
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === 'https:' || isHere) return;
  throw new CommandError(
    `A live key is not sent over ${protocol}// to ${hostname}, because others could read it in transit. Use an address that starts with https://.`,
    'usage',
  );
}
