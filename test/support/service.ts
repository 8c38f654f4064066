// Runs a whole service inside the test's process, on a separate database, with a business and its API keys.
import pino from 'pino';
import { addBusiness } from '../../src/app/back-office/manage-businesses.ts';
import { issueKey } from '../../src/app/back-office/manage-keys.ts';
import { readConfig } from '../../src/config.ts';
import { type DescribedFoundation, openFoundation } from '../../src/wire/foundation.ts';
import { openService, type Service } from '../../src/wire.ts';
import { freshDatabase } from './database.ts';
import { databaseTimeoutMs } from './patience.ts';
import { SECRETS_KEY } from './people/secrets-key.ts';
import { afterFile } from './sharing/file-group.ts';

export interface TestBusiness {
  readonly businessId: string;
  readonly linkTag: string;
  readonly testKey: string;
  readonly liveKey: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any;
}

export interface TestService {
  readonly service: Service;
  readonly foundation: DescribedFoundation & { readonly actor: string };
  readonly databaseUrl: string;
  readonly baseUrl: string;
  readonly otcBaseUrl: string;
  readonly business: TestBusiness;
  /** The ids of businesses of other test files that use the same service. */
  readonly ofOthers: readonly string[];
  logged(): string;
  addBusiness(linkTag: string): Promise<TestBusiness>;
  get(path: string, options?: CallOptions): Promise<Answer>;
  post(path: string, body: unknown, options?: CallOptions): Promise<Answer>;
  put(path: string, body: unknown, options?: CallOptions): Promise<Answer>;
  patch(path: string, body: unknown, options?: CallOptions): Promise<Answer>;
  del(path: string, options?: CallOptions): Promise<Answer>;
}

export interface CallOptions {
  /** Null sends no key; undefined sends the business's test key. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
}

/**
 * Starts a service, which stops at the end of the test file. `settings`: environment variables. `known`: a business that
 * already exists in the database.
 */
export async function startTestService(
  settings: Record<string, string> = {},
  databaseUrl?: string,
  known?: TestBusiness,
): Promise<TestService> {
  const opened = await openTestService(settings, databaseUrl ?? (await freshDatabase()));
  afterFile(() => opened.close());
  return forBusiness(opened, known ?? (await opened.addBusiness('acme')));
}

export interface OpenedTestService
  extends Pick<
    TestService,
    'service' | 'foundation' | 'databaseUrl' | 'baseUrl' | 'otcBaseUrl' | 'addBusiness'
  > {
  readonly lines: readonly string[];
  close(): Promise<void>;
}

export async function openTestService(
  settings: Record<string, string>,
  databaseUrl: string,
): Promise<OpenedTestService> {
  const config = readConfig({
    ...{ ...SECRETS_KEY, DATABASE_TIMEOUT_MS: String(databaseTimeoutMs()), DATABASE_POOL_SIZE: '4' },
    ...{ ...settings, DATABASE_URL: databaseUrl },
  });
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  const opened = await openService(config, { logger: log, plain: log });
  let closing: Promise<void> | undefined;
  // A test may stop the service before the test ends, so a second call must not close it again.
  const close = () => {
    closing ??= opened.close();
    return closing;
  };
  const service: Service = { ...opened, close };
  const foundation = { ...(await openFoundation(config, log)), actor: 'test' };
  const baseUrl = await service.servers.main.listen({ host: '127.0.0.1', port: Number(settings.PORT ?? 0) });
  const otcBaseUrl = await service.servers.otc.listen({ host: '127.0.0.1', port: 0 });
  const addBusinessWithKeys = async (linkTag: string): Promise<TestBusiness> => {
    const added = await addBusiness(foundation, { name: `Business ${linkTag}`, linkTag, sandbox: false });
    if (!added.ok) throw new Error(added.error.message);
    const businessId = added.value.id;
    const testKey = (await issueKey(foundation, businessId, 'test'))!.secretKey;
    const liveKey = (await issueKey(foundation, businessId, 'live'))!.secretKey;
    return { businessId, linkTag, testKey, liveKey };
  };
  return {
    ...{ service, foundation, databaseUrl, baseUrl, otcBaseUrl, lines },
    addBusiness: addBusinessWithKeys,
    close: async () => {
      await service.close();
      await foundation.close();
    },
  };
}

/**
 * The service as a test of this business sees it. `earlier`: the businesses of other files on this service, and the number of
 * their log lines.
 */
export function forBusiness(
  { lines, close: _close, ...opened }: OpenedTestService,
  business: TestBusiness,
  earlier: { readonly businesses: readonly string[]; readonly lines: number } = { businesses: [], lines: 0 },
): TestService {
  const call = callerOf(opened.baseUrl, business.testKey);
  return {
    ...opened,
    business,
    ofOthers: earlier.businesses,
    logged: () => lines.slice(earlier.lines).join(''),
    get: (path, options = {}) => call('GET', path, undefined, options),
    post: (path, body, options = {}) => call('POST', path, body, options),
    put: (path, body, options = {}) => call('PUT', path, body, options),
    patch: (path, body, options = {}) => call('PATCH', path, body, options),
    del: (path, options = {}) => call('DELETE', path, undefined, options),
  };
}

function callerOf(baseUrl: string, testKey: string) {
  return async (method: string, path: string, body: unknown, options: CallOptions): Promise<Answer> => {
    const key = options.key === undefined ? testKey : options.key;
    const raw = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    const response = await fetch(path.startsWith('http') ? path : `${baseUrl}${path}`, {
      method,
      headers: {
        ...(key !== null && { 'svc-sec-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body !== undefined && { body: raw as string }),
    });
    const text = await response.text();
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      parsed = undefined;
    }
    return { status: response.status, headers: response.headers, text, body: parsed };
  };
}

/** A buy that the service accepts unchanged. */
export function buyBody(
  business: TestBusiness,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    business_id: business.businessId,
    link_tag: business.linkTag,
    type: 'buy_ramp',
    amount: 15000,
    vendor_name: 'Sandbox Vendor One',
    vendor_bank: 'Providus Bank',
    vendor_number: '9900000011',
    bank_name: 'GTBank',
    account_number: '0123456785',
    network: 'Polygon',
    wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    ...changes,
  };
}

/** A sell that the service accepts unchanged. */
export function sellBody(
  business: TestBusiness,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    business_id: business.businessId,
    link_tag: business.linkTag,
    type: 'sell_ramp',
    amount: 25000,
    account_name: 'Adaeze Okafor',
    account_number: '0123456785',
    bank_name: 'GTBank',
    ...changes,
  };
}
