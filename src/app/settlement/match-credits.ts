// Finds the buy that a bank credit pays. It reads the possible claims from the store, decides with the domain rules, and
// commits the consequences. If another process was faster, the decision is out of date and is made again.
import { isNoClaimVerdict } from '../../domain/matching/match-credit.ts';
import { parseName } from '../../domain/matching/name-match.ts';
import { isFullPayerAccount } from '../../domain/matching/payer.ts';
import { CURRENT_MATCHING_RULES } from '../../domain/matching/rules.ts';
import { type Change, makeMove } from '../../domain/records/change.ts';
import type { BankCredit } from '../../domain/records/credit.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { ClaimCandidates } from '../../ports/store/reads.ts';
import type { PickDeps, SettlementDeps } from '../engine/deps.ts';
import { carryOutMatch } from './carry-out-match.ts';
import { type CreditDecision, decideCredit, type FoundClaims } from './decide-credit.ts';

const MAX_ROUNDS = 4;

/**
 * The caller must hold the leases of the credits in `credits`. Returns the buys that are paid now, so that the caller continues
 * with them.
 */
export async function matchCredits(
  deps: SettlementDeps,
  credits: readonly BankCredit[],
): Promise<readonly Transaction[]> {
  const paid: Transaction[] = [];
  const rivals = new Set<string>();
  const reversed = await deps.store.hastenNotices(credits, deps.clock.now());
  await postponeReversedCredits(
    deps,
    credits.filter(({ id }) => reversed.has(id)),
  );
  let open = credits
    .filter(({ id }) => !reversed.has(id))
    .toSorted((a, b) => a.receivedAtMs - b.receivedAtMs || (a.id < b.id ? -1 : 1));
  for (let round = 0; round < MAX_ROUNDS && open.length > 0; round++) {
    const windowMs = Math.max(deps.policies.live.matchWindowMs, deps.policies.test.matchWindowMs);
    const candidates = await findAllCandidates(deps, open, windowMs);
    const changes = await decideCredits(deps, open, candidates, windowMs);
    for (const { claims } of candidates.values())
      if (claims.length > 1) for (const { id } of claims) rivals.add(id);
    const outcomes = await deps.store.commit(changes);
    const again: BankCredit[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const moved = changes[index]!.transactions?.map((move) => move.after) ?? [];
      if (outcome.kind === 'committed') paid.push(...moved.filter((each) => each.state === 'paid'));
      else again.push(open[index]!);
      if (outcome.kind === 'refused') {
        deps.onTrouble('a match was refused', { credit: open[index]!.id, constraint: outcome.constraint });
      }
    }
    open = again;
  }
  // If a claim could belong to several credits and one credit pays it, each other credit has one possible claim less. So the
  // service checks those credits sooner.
  const contested = paid.filter(({ id }) => rivals.has(id));
  if (contested.length > 0) await deps.store.hastenCredits(contested, deps.clock.now());
  return paid;
}

/** The service searches at most this many claims of one kind for the claim that the payer's narration or name identifies. */
const MANY_CLAIMS = 5_000;

/** The service reads all claims, because a business with many equal claims must not hide the claim of another business. */
async function findAllCandidates(
  { store }: PickDeps<'store'>,
  credits: readonly BankCredit[],
  windowMs: number,
): Promise<ReadonlyMap<string, ClaimCandidates>> {
  const few = await store.findCandidates(credits, windowMs);
  const crowded = credits.filter(({ id }) => few.get(id)!.more);
  if (crowded.length === 0) return few;
  return new Map([...few, ...(await store.findCandidates(crowded, windowMs, MANY_CLAIMS))]);
}

/**
 * Some payers appear in no claim. The name of such a payer is compared with the names of at most this many open claims of the
 * same amount.
 */
const MANY_NAMES = 500;

/**
 * Most credits have a claim that contains their payer. Only for a credit without such a claim does the service also read other
 * claims with the same amount.
 */
async function decideCredits(
  deps: SettlementDeps,
  credits: readonly BankCredit[],
  candidates: ReadonlyMap<string, ClaimCandidates>,
  windowMs: number,
): Promise<readonly Change[]> {
  const parts = await readPartPayments(deps, candidates);
  const decide = (credit: BankCredit, others: readonly Transaction[]): CreditDecision => {
    const { claims, ...rest } = candidates.get(credit.id)!;
    const known = new Set(claims.map(({ id }) => id));
    const own = [...claims, ...others.filter(({ id }) => !known.has(id))].filter((claim) =>
      isSameVendorAccount(deps, claim, credit),
    );
    const found: FoundClaims = { ...rest, claims: own, parts };
    const { matchWindowMs, matchGraceMs: graceMs } = deps.policies[credit.mode];
    const around = {
      nowMs: deps.clock.now(),
      windowMs: matchWindowMs,
      graceMs,
      rules: CURRENT_MATCHING_RULES,
    };
    return decideCredit(credit, found, around);
  };
  const decided = credits.map((credit) => decide(credit, []));
  const alone = credits.filter(
    ({ payerAccount, payerName }, index) =>
      isNoClaimVerdict(decided[index]!.decision.verdict) &&
      isFullPayerAccount(payerAccount) &&
      parseName(payerName).isGiven,
  );
  const others = await deps.store.claimsOfAmount(alone, windowMs, MANY_NAMES);
  return credits.map((credit, index) => {
    const more = others.get(credit.id) ?? [];
    return carryOutMatch(deps, credit, more.length === 0 ? decided[index]! : decide(credit, more));
  });
}

async function readPartPayments(
  { store }: PickDeps<'store'>,
  candidates: ReadonlyMap<string, ClaimCandidates>,
): Promise<readonly BankCredit[]> {
  const short = new Set<string>();
  for (const { claims } of candidates.values())
    for (const { id, state, exception } of claims)
      if (state === 'on_hold' && exception === 'paid_partial') short.add(id);
  return short.size === 0 ? [] : await store.creditsOf([...short]);
}

const NOTICE_MS = 2_000;

/** The bank has already reported the reversal of these credits. */
async function postponeReversedCredits(
  deps: PickDeps<'clock' | 'store'>,
  credits: readonly BankCredit[],
): Promise<void> {
  if (credits.length === 0) return;
  const atMs = deps.clock.now();
  await deps.store.commit(
    credits.map((credit) => ({ atMs, credits: [makeMove(credit, { dueAtMs: atMs + NOTICE_MS })] })),
  );
}

/** Both the number and the bank must be equal, because the same ten digits exist at several banks. */
export function isSameVendorAccount(
  { directory }: PickDeps<'directory'>,
  { vendor }: Transaction,
  credit: BankCredit,
): boolean {
  if (credit.accountBankCode === null || vendor === null) return true;
  return directory.resolve(vendor.bank)?.code === credit.accountBankCode;
}
