// The rules that the books must satisfy at every moment (docs/concepts/ledger.md, "What always holds"). A pure function takes
// the state of all accounts and returns the errors in it.
import {
  type AccountRule,
  CHART_OF_ACCOUNTS,
  type LedgerAccountName,
} from '../../domain/ledger/chart-of-accounts.ts';
import { MODES, type Mode } from '../../domain/values/mode.ts';
import { NAIRA } from '../../domain/values/money.ts';
import type { AuditedAccount } from '../../ports/ledger.ts';

export type TokenDecimals = Readonly<Record<Mode, ReadonlyMap<string, number>>>;

export interface LedgerFinding {
  readonly rule: 'balance' | 'checkpoint' | 'side' | 'place' | 'sum' | 'transit' | 'delivered' | 'redeemed';
  readonly mode: Mode;
  /** The assets whose sends must be halted. The drift is in minor units of the first of these assets. */
  readonly assets: readonly string[];
  readonly driftMinor: bigint;
  readonly text: string;
}

export interface LedgerJudgement {
  readonly findings: readonly LedgerFinding[];
  /**
   * The mode and name of each asset whose decimals are unknown, as `mode asset`. The rules across assets could not be checked
   * in that mode.
   */
  readonly unchecked: readonly string[];
}

export function judgeLedger(accounts: readonly AuditedAccount[], decimals: TokenDecimals): LedgerJudgement {
  const findings: LedgerFinding[] = accounts.flatMap(judgeAccount);
  const unchecked: string[] = [];
  for (const mode of MODES) {
    const own = accounts.filter((account) => account.mode === mode);
    findings.push(...judgeSums(mode, own));
    const strange = assetsOf(own).filter((asset) => asset !== NAIRA && !decimals[mode].has(asset));
    unchecked.push(...strange.map((asset) => `${mode} ${asset}`));
    if (strange.length > 0) continue;
    findings.push(...judgePair(mode, own, decimals[mode], 'delivered', 'out'));
    findings.push(...judgePair(mode, own, decimals[mode], 'redeemed', 'received'));
  }
  return { findings, unchecked };
}

function judgeAccount(account: AuditedAccount): LedgerFinding[] {
  const { key, mode, asset, side, balanceMinor, postedMinor, misnotedMinor } = account;
  const found = (rule: LedgerFinding['rule'], driftMinor: bigint, text: string) =>
    driftMinor === 0n ? [] : [{ rule, mode, assets: [asset], driftMinor, text: `${key} ${text}` }];
  const stranded = account.name === 'bank_transit' ? balanceMinor : 0n;
  const misplaced = accountAllowsAsset(account) ? 0n : balanceMinor;
  const wrongSide = (side === 'debit') === balanceMinor < 0n ? balanceMinor : 0n;
  return [
    ...found(
      'balance',
      balanceMinor - postedMinor,
      `is ${balanceMinor}, but its postings add up to ${postedMinor}`,
    ),
    ...found(
      'checkpoint',
      misnotedMinor,
      `has a total from earlier checks that is wrong by ${misnotedMinor}`,
    ),
    ...found('side', wrongSide, `is ${balanceMinor}, on the wrong side`),
    ...found('place', misplaced, `is ${balanceMinor}, and ${asset} has no account of this name`),
    // A transfer between two bank accounts of the operator leaves the first account and arrives at the second one in the same
    // commit.
    ...found(
      'transit',
      stranded,
      `is ${balanceMinor}: naira left one bank account and did not reach another`,
    ),
  ];
}

/** Naira and tokens have separate accounts. Only this rule finds naira in a token account, or tokens in a naira account. */
function accountAllowsAsset({ name, asset }: Pick<AuditedAccount, 'name' | 'asset'>): boolean {
  const of: AccountRule['of'] | undefined = CHART_OF_ACCOUNTS[name]?.of;
  return of === 'both' || of === (asset === NAIRA ? 'naira' : 'token');
}

/** For every asset, the debits must equal the credits. */
function judgeSums(mode: Mode, own: readonly AuditedAccount[]): LedgerFinding[] {
  return assetsOf(own).flatMap((asset) => {
    const driftMinor = sumBalances(own.filter((account) => account.asset === asset));
    if (driftMinor === 0n) return [];
    const text = `debits and credits of ${mode} ${asset} differ by ${driftMinor}`;
    return [{ rule: 'sum' as const, mode, assets: [asset], driftMinor, text }];
  });
}

/** A naira account and the accounts of all tokens together must show the same value, on opposite sides of the books. */
function judgePair(
  mode: Mode,
  own: readonly AuditedAccount[],
  decimals: ReadonlyMap<string, number>,
  rule: 'delivered' | 'redeemed',
  tokenName: LedgerAccountName,
): LedgerFinding[] {
  const finest = Math.max(2, ...decimals.values());
  const scaled = (amount: bigint, places: number) => amount * 10n ** BigInt(finest - places);
  const tokens = own.filter((account) => account.name === tokenName && account.asset !== NAIRA);
  const parts = tokens.map(({ asset, balanceMinor }) => scaled(balanceMinor, decimals.get(asset)!));
  const naira = sumBalances(own.filter((account) => account.asset === NAIRA && account.name === rule));
  const drift = parts.reduce((total, part) => total + part, scaled(naira, 2));
  if (drift === 0n) return [];
  // The drift is rounded away from zero, because a fraction of a kobo is drift, too.
  const unit = scaled(1n, 2);
  const driftMinor = drift > 0n ? (drift + unit - 1n) / unit : (drift - unit + 1n) / unit;
  const text = `${mode} ${rule} in naira and ${tokenName} in tokens differ by ${driftMinor} kobo`;
  return [
    { rule, mode, assets: [NAIRA, ...assetsOf(own).filter((asset) => asset !== NAIRA)], driftMinor, text },
  ];
}

function assetsOf(accounts: readonly AuditedAccount[]): string[] {
  return [...new Set(accounts.map(({ asset }) => asset))];
}

function sumBalances(accounts: readonly AuditedAccount[]): bigint {
  return accounts.reduce((total, { balanceMinor }) => total + balanceMinor, 0n);
}
