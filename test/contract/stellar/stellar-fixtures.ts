// Plays a small Stellar network for tests of single parts. Servers return exactly what a test sets, even responses that an
// honest ledger would never give. Each server has its own view, so that one server can lag or lie.
import { Keypair } from '@stellar/stellar-sdk/base';
import { makeProviders } from '../../../src/adapters/networks/providers/providers.ts';
import type { StellarSettings } from '../../../src/adapters/networks/settings/settings.ts';
import { amountText, type HorizonFields } from '../../../src/adapters/networks/stellar/horizon/fields.ts';
import type { Horizon, HorizonAnswer } from '../../../src/adapters/networks/stellar/horizon/horizon.ts';
import type { StellarChain } from '../../../src/adapters/networks/stellar/horizon/stellar-chain.ts';
import type { Payment, WalletTurn } from '../../../src/ports/networks/network-payer.ts';
import type { Signer } from '../../../src/ports/signer.ts';
import { memoryKey, memorySigner } from '../../support/networks/memory-signer.ts';

export const PASSPHRASE = 'a network for tests';
export const START_MS = Date.parse('2026-11-14T10:00:00Z');
export const TREASURY = Keypair.fromRawEd25519Seed(Buffer.from(memoryKey('treasury'))).publicKey();
export const ISSUER = Keypair.fromRawEd25519Seed(Buffer.from(memoryKey('issuer'))).publicKey();
const TOKEN = { code: 'NGNC', issuer: ISSUER };
export const NO_TURN: WalletTurn = { lastSequence: null, live: 0, inFlightMinor: 0n };

export interface View {
  latest: number;
  closedAtMs: number;
  eldest: number;
  passphrase: string;
  /**
   * The ledger that the server's account responses name. If it is omitted, they name its latest ledger; if it is null, they
   * name none.
   */
  stated?: number | null;
  /** Maps a path to a response that replaces the normal response. */
  readonly at: Map<string, HorizonFields>;
  submit: (path: string) => HorizonAnswer | Promise<HorizonAnswer>;
  readonly asked: string[];
  down: boolean;
}

export function makeView(changes: Partial<View> = {}): View {
  const at = new Map([
    [`/accounts/${ISSUER}`, accountFields(ISSUER, { trusts: false })],
    [`/accounts/${TREASURY}`, accountFields(TREASURY, { tokenMinor: 10n ** 12n, memoRequired: true })],
  ]);
  const submit = () => ({ status: 201, body: { tx_status: 'PENDING' } });
  return {
    latest: 100,
    closedAtMs: START_MS,
    eldest: 1,
    passphrase: PASSPHRASE,
    at,
    submit,
    asked: [],
    down: false,
    ...changes,
  };
}

export interface AccountOptions {
  readonly trusts?: boolean;
  readonly tokenMinor?: bigint;
  readonly limitMinor?: bigint;
  readonly nativeMinor?: bigint;
  readonly authorised?: boolean;
  readonly clawback?: boolean;
  readonly memoRequired?: boolean;
  readonly sequence?: bigint;
  readonly weight?: number;
}

export function accountFields(id: string, options: AccountOptions = {}): HorizonFields {
  const { trusts = true, tokenMinor = 0n, nativeMinor = 1_000_000_000n, authorised = true } = options;
  const line = {
    asset_type: 'credit_alphanum4',
    asset_code: TOKEN.code,
    asset_issuer: ISSUER,
    balance: amountText(tokenMinor),
    limit: amountText(options.limitMinor ?? 2n ** 63n - 1n),
    buying_liabilities: '0.0000000',
    selling_liabilities: '0.0000000',
    is_authorized: authorised,
    is_clawback_enabled: options.clawback === true,
  };
  const native = { asset_type: 'native', balance: amountText(nativeMinor) };
  return {
    id,
    sequence: `${options.sequence ?? 41n}`,
    subentry_count: trusts ? 1 : 0,
    num_sponsoring: 0,
    num_sponsored: 0,
    balances: trusts ? [line, native] : [native],
    signers: [{ key: id, weight: options.weight ?? 1, type: 'ed25519_public_key' }],
    thresholds: { low_threshold: 0, med_threshold: 0, high_threshold: 0 },
    data: options.memoRequired === true ? { 'config.memo_required': 'MQ==' } : {},
  };
}

export function ledgerFields({ latest, closedAtMs }: Pick<View, 'latest' | 'closedAtMs'>): HorizonFields {
  const closed_at = new Date(closedAtMs).toISOString();
  return { sequence: latest, closed_at, base_reserve_in_stroops: 5_000_000 };
}

function horizonOf(view: View): Horizon {
  const get = async (path: string): Promise<HorizonFields | undefined> => {
    view.asked.push(path);
    if (view.down) throw new Error('this server is down');
    if (path === '/')
      return {
        network_passphrase: view.passphrase,
        history_elder_ledger: view.eldest,
        history_latest_ledger: view.latest,
        history_latest_ledger_closed_at: new Date(view.closedAtMs).toISOString(),
      };
    if (path.startsWith('/ledgers?')) return page([ledgerFields(view)]);
    if (path === `/ledgers/${view.latest}`) return ledgerFields(view);
    return view.at.get(path) ?? view.at.get(path.split('?')[0]!);
  };
  return {
    get,
    state: async (path) => {
      const body = await get(path);
      return body && { body, ledger: view.stated === undefined ? view.latest : view.stated };
    },
    need: async (path) => (await get(path)) ?? Promise.reject(new Error(`nothing at ${path}`)),
    post: async (path) => {
      view.asked.push(path);
      if (view.down) throw new Error('this server is down');
      return view.submit(path);
    },
  };
}

export function page(records: readonly unknown[]): HorizonFields {
  return { _embedded: { records } };
}

export interface ScriptedChain extends StellarChain {
  readonly time: { nowMs: number };
  readonly troubles: string[];
}

export function makeChain(
  views: readonly View[],
  changes: Partial<StellarSettings> = {},
  signer: Signer = memorySigner(),
): ScriptedChain {
  const rpc = views.map((_, index) => `https://user:secret@server-${index}.test/key`);
  const time = { nowMs: START_MS };
  const troubles: string[] = [];
  const clock = { now: () => time.nowMs };
  const settings: StellarSettings = {
    family: 'stellar',
    name: 'Stellar',
    mode: 'test',
    rpc,
    assetCode: TOKEN.code,
    decimals: 7,
    native: { asset: 'XLM', decimals: 7 },
    key: 'treasury',
    confirmations: 1,
    finalAfterMs: 6_000,
    explorerTxUrl: null,
    agreeFromMinor: 1_000n,
    marks: { tokenMinor: 0n, nativeMinor: 0n },
    batch: 100,
    token: ISSUER,
    passphrase: PASSPHRASE,
    validForMs: 60_000,
    feePerOperation: 100n,
    maxFeePerOperation: 10_000n,
    withoutTrustline: 'wait',
    issuerControl: 'accept',
    ...changes,
  };
  const providers = makeProviders(rpc, (url) => horizonOf(views[rpc.indexOf(url)]!), {
    clock,
    onTrouble: () => {},
  });
  const onTrouble = (message: string) => void troubles.push(message);
  return { settings, token: TOKEN, treasury: TREASURY, providers, clock, signer, onTrouble, time, troubles };
}

let made = 0;

export function makeWallet(views: readonly View[], options: AccountOptions = {}): string {
  const id = Keypair.fromRawEd25519Seed(Buffer.from(memoryKey(`wallet ${made++}`))).publicKey();
  for (const { at } of views) at.set(`/accounts/${id}`, accountFields(id, options));
  return id;
}

export function paymentTo(to: string, changes: Partial<Payment> = {}): Payment {
  const orderId = `mov_${made++}`;
  return {
    orderId,
    about: null,
    to,
    amountMinor: 10n,
    alone: false,
    opensAccount: true,
    from: null,
    ...changes,
  };
}
