// Accounts, claimable balances and assets in Horizon's format. They show the state at the newest ledger that the provider has
// read.
import type { StateView } from '../closed-state.ts';
import { type AccountEntry, type ClaimableBalance, countSubentries, NATIVE } from '../state.ts';
import {
  amountText,
  assetFields,
  assetType,
  type HorizonJson,
  linkTo,
  pagedLinkTo,
  predicateFields,
  timeText,
} from './format.ts';

function flagFields(bits: number): HorizonJson {
  return {
    auth_required: (bits & 1) !== 0,
    auth_revocable: (bits & 2) !== 0,
    auth_immutable: (bits & 4) !== 0,
    auth_clawback_enabled: (bits & 8) !== 0,
  };
}

function balanceRecords(account: AccountEntry): HorizonJson[] {
  const liabilities = { buying_liabilities: amountText(0n), selling_liabilities: amountText(0n) };
  const lines = [...account.trustlines.values()].map((line) => ({
    balance: amountText(line.balance),
    limit: amountText(line.limit),
    ...liabilities,
    last_modified_ledger: line.modifiedLedger,
    is_authorized: line.authorized,
    is_authorized_to_maintain_liabilities: line.authorized,
    is_clawback_enabled: line.clawback,
    ...assetFields(line.asset),
  }));
  return [...lines, { balance: amountText(account.balance), ...liabilities, asset_type: NATIVE }];
}

export function accountRecord(base: string, account: AccountEntry): HorizonJson {
  const own = `/accounts/${account.id}`;
  const lists = ['transactions', 'operations', 'payments', 'effects', 'offers', 'trades'];
  const signer = (key: string, weight: number) => ({ weight, key, type: 'ed25519_public_key' });
  const data = [...account.data].map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
  return {
    _links: {
      self: linkTo(base, own),
      ...Object.fromEntries(lists.map((name) => [name, pagedLinkTo(base, `${own}/${name}`)])),
      data: { href: `${base}${own}/data/{key}`, templated: true },
    },
    id: account.id,
    account_id: account.id,
    sequence: account.sequence.toString(),
    ...(account.sequenceLedger === 0
      ? {}
      : { sequence_ledger: account.sequenceLedger, sequence_time: String(account.sequenceTime) }),
    subentry_count: countSubentries(account),
    ...(account.homeDomain === '' ? {} : { home_domain: account.homeDomain }),
    last_modified_ledger: account.modifiedLedger,
    last_modified_time: timeText(account.modifiedTime),
    thresholds: {
      low_threshold: account.thresholds.low,
      med_threshold: account.thresholds.med,
      high_threshold: account.thresholds.high,
    },
    flags: flagFields(account.flags),
    balances: balanceRecords(account),
    signers: [
      ...[...account.signers].map(([key, weight]) => signer(key, weight)),
      signer(account.id, account.masterWeight),
    ],
    data: Object.fromEntries(data),
    num_sponsoring: account.sponsoring,
    num_sponsored: 0,
    paging_token: account.id,
  };
}

export function claimableToken(balance: ClaimableBalance): string {
  return `${balance.modifiedLedger}-${balance.id}`;
}

export function claimableRecord(base: string, balance: ClaimableBalance): HorizonJson {
  const own = `/claimable_balances/${balance.id}`;
  return {
    _links: {
      self: linkTo(base, own),
      transactions: pagedLinkTo(base, `${own}/transactions`),
      operations: pagedLinkTo(base, `${own}/operations`),
    },
    id: balance.id,
    asset: balance.asset,
    amount: amountText(balance.amount),
    sponsor: balance.sponsor,
    last_modified_ledger: balance.modifiedLedger,
    last_modified_time: timeText(balance.modifiedTime),
    claimants: balance.claimants.map(({ account, predicate: form }) => ({
      destination: account,
      predicate: predicateFields(form),
    })),
    flags: { clawback_enabled: false },
    paging_token: claimableToken(balance),
  };
}

interface AssetSums {
  authorizedCount: number;
  unauthorizedCount: number;
  authorized: bigint;
  unauthorized: bigint;
  claimableCount: number;
  claimable: bigint;
}

function sumAssets(state: StateView, wanted: (asset: string) => boolean): Map<string, AssetSums> {
  const all = new Map<string, AssetSums>();
  const of = (asset: string) => {
    const none = { authorizedCount: 0, unauthorizedCount: 0, claimableCount: 0 };
    const sum = all.get(asset) ?? { ...none, authorized: 0n, unauthorized: 0n, claimable: 0n };
    all.set(asset, sum);
    return sum;
  };
  for (const account of state.allAccounts()) {
    for (const line of account.trustlines.values()) {
      if (!wanted(line.asset)) continue;
      const sum = of(line.asset);
      sum[line.authorized ? 'authorizedCount' : 'unauthorizedCount'] += 1;
      sum[line.authorized ? 'authorized' : 'unauthorized'] += line.balance;
    }
  }
  for (const balance of state.allClaimables()) {
    if (balance.asset === NATIVE || !wanted(balance.asset)) continue;
    const sum = of(balance.asset);
    sum.claimableCount += 1;
    sum.claimable += balance.amount;
  }
  return all;
}

export function assetRecords(state: StateView, code: string | null, issuer: string | null): HorizonJson[] {
  const wanted = (asset: string) => {
    const [itsCode, itsIssuer] = asset.split(':');
    return (code === null || itsCode === code) && (issuer === null || itsIssuer === issuer);
  };
  const sorted = [...sumAssets(state, wanted)].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([asset, sum]) => {
    const [itsCode, itsIssuer] = asset.split(':') as [string, string];
    const home = state.account(itsIssuer)?.homeDomain ?? '';
    const toml = home === '' ? '' : `https://${home}/.well-known/stellar.toml`;
    return {
      _links: { toml: { href: toml } },
      ...assetFields(asset),
      paging_token: `${itsCode}_${itsIssuer}_${assetType(itsCode)}`,
      num_claimable_balances: sum.claimableCount,
      num_liquidity_pools: 0,
      num_contracts: 0,
      accounts: {
        authorized: sum.authorizedCount,
        authorized_to_maintain_liabilities: 0,
        unauthorized: sum.unauthorizedCount,
      },
      balances: {
        authorized: amountText(sum.authorized),
        authorized_to_maintain_liabilities: amountText(0n),
        unauthorized: amountText(sum.unauthorized),
      },
      claimable_balances_amount: amountText(sum.claimable),
      liquidity_pools_amount: amountText(0n),
      contracts_amount: amountText(0n),
      flags: flagFields(state.account(itsIssuer)?.flags ?? 0),
    };
  });
}
