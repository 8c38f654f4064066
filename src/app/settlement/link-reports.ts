// Finds the credit to which a report of another source belongs. If a report matches no credit in time, or contradicts its
// credit, it becomes a case for people. A report never becomes a credit automatically.
import { accountDetail } from '../../domain/ledger/chart-of-accounts.ts';
import { type Change, makeMove } from '../../domain/records/change.ts';
import type { CreditReport } from '../../domain/records/credit.ts';
import { type LinkDecision, linkReport } from '../../domain/reports/link-report.ts';
import { newId, type PickDeps, type SettlementDeps } from '../engine/deps.ts';
import { backOffMs } from '../engine/retries.ts';

const LOOK_AGAIN_MS = 1_000;

/**
 * The caller must hold the leases of the reports in `reports`. They are processed one after another, because two equal reports
 * are about two credits.
 */
export async function linkReports(deps: SettlementDeps, reports: readonly CreditReport[]): Promise<void> {
  for (const report of reports) {
    const like = (await deps.store.creditsLike([report])).get(report.id) ?? [];
    const change = await decideReport(deps, report, linkReport(report, like));
    const [outcome] = await deps.store.commit([change]);
    if (outcome?.kind === 'committed' && change.openCase !== undefined) {
      const { id, kind, creditId: credit } = change.openCase;
      deps.onTrouble(CASE_MESSAGES[kind as keyof typeof CASE_MESSAGES], {
        case: id,
        report: report.id,
        credit,
      });
    }
    // Another report was linked to that credit meanwhile, so the service checks this report again.
    if (outcome?.kind === 'refused') {
      if (outcome.rule !== 'linked_before')
        deps.onTrouble('a report was refused', { report: report.id, constraint: outcome.constraint });
      await deps.store.commit([postponeReport(deps, report)]);
    }
  }
}

const CASE_MESSAGES = {
  report_left_over: 'a source reports a transfer without a credit',
  reports_disagree: 'two reports of one transfer disagree',
} as const;

async function decideReport(
  deps: SettlementDeps,
  report: CreditReport,
  decision: LinkDecision,
): Promise<Change> {
  switch (decision.kind) {
    case 'linked':
      return linkToCredit(deps, report, decision.creditId, decision.isRepeat);
    case 'displaces':
      await releaseReport(deps, report, decision.sourceId);
      return linkToCredit(deps, report, decision.creditId, false);
    case 'alike':
      return (await givesValue(deps, report))
        ? openLeftOverCase(deps, report)
        : linkToCredit(deps, report, decision.creditId, false);
    case 'disagree':
      return openReportCase(deps, report, 'reports_disagree', decision.creditId);
    case 'none': {
      const untilMs = report.receivedAtMs + deps.policies[report.mode].reportGraceMs;
      return deps.clock.now() < untilMs
        ? postponeReport(deps, report, untilMs)
        : openLeftOverCase(deps, report);
    }
  }
}

/** The report that was linked to the credit before must find its own credit again. */
async function releaseReport(
  deps: PickDeps<'clock' | 'store'>,
  { mode, source }: CreditReport,
  sourceId: string,
): Promise<void> {
  const holder = await deps.store.findReport(mode, source, sourceId);
  if (holder?.state !== 'linked') return;
  const atMs = deps.clock.now();
  await deps.store.commit([
    { atMs, reports: [makeMove(holder, { state: 'waiting', creditId: null, dueAtMs: atMs })] },
  ]);
}

/**
 * Returns whether the report comes from the source that creates the credits of the account. If it does, people decide whether
 * the report is new money, because another source already has a similar credit.
 */
async function givesValue({ store }: PickDeps<'store'>, report: CreditReport): Promise<boolean> {
  const book = accountDetail(report.accountBankCode, report.accountNumber);
  const rule = (await store.creditSources(report.mode, [book])).get(book);
  return rule?.source === report.source;
}

function linkToCredit(
  deps: PickDeps<'clock'>,
  report: CreditReport,
  creditId: string,
  isRepeat: boolean,
): Change {
  const atMs = deps.clock.now();
  return { atMs, reports: [makeMove(report, { state: 'linked', creditId, isRepeat, dueAtMs: null })] };
}

function postponeReport(
  deps: PickDeps<'clock' | 'entropy'>,
  report: CreditReport,
  untilMs = Number.POSITIVE_INFINITY,
): Change {
  const atMs = deps.clock.now();
  const dueAtMs = Math.min(untilMs, atMs + backOffMs(deps, report.tries, LOOK_AGAIN_MS));
  return { atMs, reports: [makeMove(report, { dueAtMs })] };
}

function openLeftOverCase(deps: PickDeps<'clock' | 'entropy'>, report: CreditReport): Change {
  return openReportCase(deps, report, 'report_left_over', null);
}

function openReportCase(
  deps: PickDeps<'clock' | 'entropy'>,
  report: CreditReport,
  kind: 'report_left_over' | 'reports_disagree',
  creditId: string | null,
): Change {
  const { id: about, mode, businessId, amountMinor } = report;
  const id = newId(deps, 'cas');
  return {
    atMs: deps.clock.now(),
    reports: [makeMove(report, { state: 'case', dueAtMs: null })],
    openCase: { id, kind, mode, businessId, transactionId: null, creditId, about, amountMinor },
  };
}
