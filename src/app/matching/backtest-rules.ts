// Decides stored credits again with two versions of the matching rules, and reports the differences. It uses the claims that
// existed at the time of the original decision, and writes nothing.
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import {
  CURRENT_MATCHING_RULES,
  findMatchingRules,
  MATCHING_RULE_VERSIONS,
  type MatchingRules,
} from '../../domain/matching/rules.ts';
import type { MatchVerdict } from '../../domain/records/match-decision.ts';
import type { Policies } from '../../domain/settlement/policy.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { MatchHistory, MatchHistoryQuery, PastDecision } from '../../ports/matching.ts';
import { StoreUnavailable } from '../../ports/store/store.ts';
import { decideCredit } from '../settlement/decide-credit.ts';
import { isSameVendorAccount } from '../settlement/match-credits.ts';

export interface BacktestDeps {
  readonly matchHistory: MatchHistory;
  readonly policies: Policies;
  readonly directory: BankDirectory;
}

export interface BacktestRequest {
  readonly version: number;
  readonly mode: Mode | undefined;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The verdict without its details, for example `matched` or `review other_account`. */
export interface BacktestOutcome {
  readonly kind: string;
  readonly transactionIds: readonly string[];
}

export interface BacktestDifference {
  readonly creditId: string;
  readonly mode: Mode;
  readonly decidedAtMs: number;
  readonly recorded: BacktestOutcome & { readonly version: number };
  /** The outcome with the requested version of the rules. */
  readonly before: BacktestOutcome;
  readonly now: BacktestOutcome;
}

export interface Backtest {
  readonly version: number;
  readonly currentVersion: number;
  readonly credits: number;
  readonly differences: number;
  readonly kinds: readonly { readonly before: string; readonly now: string; readonly count: number }[];
  /** The number of credits for which the original rules lead to the recorded outcome again. */
  readonly replayed: number;
  /** Credits that were decided with a version of the rules that this version of the service does not have. */
  readonly unknown: number;
}

export interface BacktestRefusal {
  readonly code: 'invalid' | 'unavailable';
  readonly message: string;
}

const PAGE = 200;
/** If the database does not answer in time, a smaller page is read, down to this size. */
const SMALLEST_PAGE = 25;

export async function backtestRules(
  deps: BacktestDeps,
  { version, ...asked }: BacktestRequest,
  on: { readonly difference: (found: BacktestDifference) => void; readonly page: (credits: number) => void },
): Promise<Result<Backtest, BacktestRefusal>> {
  const rules = findMatchingRules(version);
  if (rules === undefined)
    return fail({
      code: 'invalid',
      message: `There is no version ${version} of the rules. Versions: ${MATCHING_RULE_VERSIONS.join(', ')}.`,
    });
  const counts = new Map<string, { before: string; now: string; count: number }>();
  let [credits, differences, replayed, unknown] = [0, 0, 0, 0];
  const windowMs = Math.max(deps.policies.live.matchWindowMs, deps.policies.test.matchWindowMs);
  for (let afterId = ''; ; ) {
    const page = await readHistoryPage(deps.matchHistory, { ...asked, afterId, limit: PAGE, windowMs });
    if (page === undefined) return fail({ code: 'unavailable', message: noAnswerMessage(credits) });
    for (const past of page.decisions) {
      const found = compareDecisions(deps, past, rules);
      if (findMatchingRules(past.recorded.ruleVersion) === undefined) unknown++;
      if (found.replayed) replayed++;
      const { before, now } = found.difference;
      if (isSameOutcome(before, now)) continue;
      differences++;
      const key = `${before.kind} > ${now.kind}`;
      const kind = counts.get(key) ?? { before: before.kind, now: now.kind, count: 0 };
      kind.count++;
      counts.set(key, kind);
      on.difference(found.difference);
    }
    credits += page.decisions.length;
    if (page.decisions.length > 0) on.page(credits);
    if (page.decisions.length < page.limit) break;
    afterId = page.decisions.at(-1)!.credit.id;
  }
  const kinds = [...counts.values()].sort((a, b) => b.count - a.count);
  return ok({
    version,
    currentVersion: CURRENT_MATCHING_RULES.version,
    credits,
    differences,
    kinds,
    replayed,
    unknown,
  });
}

/** Undefined: the database did not answer in time, even for a small page. */
async function readHistoryPage(
  history: MatchHistory,
  asked: MatchHistoryQuery,
): Promise<{ readonly decisions: readonly PastDecision[]; readonly limit: number } | undefined> {
  for (let { limit } = asked; limit >= SMALLEST_PAGE; limit = limit >> 1) {
    try {
      return { decisions: await history.page({ ...asked, limit }), limit };
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
  return undefined;
}

function noAnswerMessage(credits: number): string {
  return `The database did not answer in time after ${credits} credits were matched again. Nothing was changed. Choose a shorter period (--from, --to), or a longer DATABASE_TIMEOUT_MS.`;
}

function compareDecisions(
  deps: BacktestDeps,
  past: PastDecision,
  rules: MatchingRules,
): { readonly difference: BacktestDifference; readonly replayed: boolean } {
  const { credit, atMs, recorded } = past;
  const before = decideAgain(deps, past, rules);
  const now = decideAgain(deps, past, CURRENT_MATCHING_RULES);
  const then = findMatchingRules(recorded.ruleVersion);
  const said = outcomeOf(recorded.verdict);
  return {
    difference: {
      ...{ creditId: credit.id, mode: credit.mode, decidedAtMs: atMs, before, now },
      recorded: { ...said, version: recorded.ruleVersion },
    },
    replayed: then !== undefined && isSameOutcome(said, decideAgain(deps, past, then)),
  };
}

/**
 * If the rules wait for another statement line, this function decides again for the end of the waiting time. That line did not
 * arrive before the original decision.
 */
function decideAgain(deps: BacktestDeps, past: PastDecision, rules: MatchingRules): BacktestOutcome {
  const { credit, equalCredits, parts } = past;
  const { matchWindowMs: windowMs, matchGraceMs: graceMs } = deps.policies[credit.mode];
  const claims = past.claims.filter((claim) => isSameVendorAccount(deps, claim, credit));
  const found = { claims, parts, equalCredits, more: false };
  const at = (nowMs: number) => decideCredit(credit, found, { nowMs, windowMs, graceMs, rules });
  const first = at(past.atMs);
  const { verdict } = first.decision;
  const { decision, refundReason } = verdict.kind === 'wait' ? at(verdict.untilMs) : first;
  const outcome = outcomeOf(decision.verdict);
  return refundReason === null ? outcome : { ...outcome, kind: `refunded ${refundReason}` };
}

function outcomeOf(verdict: MatchVerdict): BacktestOutcome {
  switch (verdict.kind) {
    case 'wait':
      return { kind: 'wait', transactionIds: [] };
    case 'review':
      return { kind: `review ${verdict.exception}`, transactionIds: verdict.transactionIds };
    default: {
      const kind = verdict.exception === null ? verdict.kind : `${verdict.kind} ${verdict.exception}`;
      return { kind, transactionIds: [verdict.transactionId] };
    }
  }
}

function isSameOutcome(one: BacktestOutcome, other: BacktestOutcome): boolean {
  const ids = ({ transactionIds }: BacktestOutcome) => transactionIds.toSorted().join(' ');
  return one.kind === other.kind && ids(one) === ids(other);
}
