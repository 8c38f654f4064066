// Makes reports from sources that do not credit the account, as parts of random changes, and queries about these reports.
import type { CreditReport } from '../../../../src/domain/records/credit.ts';
import { onward } from './drafts.ts';
import { type Operation, op } from './operation.ts';
import { anyOf, creditOf, idOf, type Part, VENDORS, type World } from './world.ts';

function reportOf(world: World, changes: Partial<CreditReport> = {}): CreditReport {
  const { random, nowMs, tables } = world;
  const known = random.chance(0.5) ? anyOf(world, tables.credits) : undefined;
  const said = known ?? creditOf(world);
  const { parentId: _parent, exception: _exception, transactionId: _transaction, ...reported } = said;
  return {
    ...reported,
    id: idOf(world, 'rpt'),
    // Sometimes the source of the credit itself reports it, perhaps with the same source id.
    source: random.pick(['other', 'other', said.source]),
    sourceId: random.chance(0.6) ? random.text(6) : said.sourceId,
    balanceMinor: random.pick([null, 7n]),
    ...{ state: 'waiting', creditId: null, isRepeat: false, version: 1, tries: 0, dueAtMs: nowMs },
    ...changes,
  };
}

export const reportAdded: Part = (world, draft) => {
  const { random, tables } = world;
  const odd = random.weighted<Partial<CreditReport>>([
    [20, {}],
    [2, { amountMinor: 0n }],
    [2, { id: anyOf(world, tables.reports)?.id ?? 'rpt_x' }],
  ]);
  const added = reportOf(world, odd);
  draft.newReports = [...(draft.newReports ?? []), added];
  if (random.chance(0.07)) draft.newReports = [...draft.newReports, { ...added, id: idOf(world, 'rpt') }];
};

export const reportMoved: Part = (world, draft) => {
  const { random, tables, nowMs } = world;
  const found = anyOf(world, tables.reports);
  if (found === undefined) return;
  // Only two credits are used, so that two reports from one source refer to the same credit.
  const credit = random.pick([...tables.credits.keys()].slice(0, 2)) ?? null;
  const state = random.pick(['waiting', 'linked', 'linked', 'linked', 'case', 'case', 'explained'] as const);
  const twin = [...tables.reports.values()].find(
    (each) => each.source === found.source && each.state === 'linked' && each.id !== found.id,
  );
  const meant = random.chance(0.7) ? (twin?.creditId ?? credit) : credit;
  const creditId = state === 'waiting' || random.chance(0.25) ? null : meant;
  const dueAtMs = random.pick([null, nowMs, nowMs + 50]);
  const move = onward(world, found, { state, creditId, isRepeat: random.chance(0.2), dueAtMs });
  const others = draft.reports ?? [];
  if (others.every(({ after }) => after.id !== found.id)) draft.reports = [...others, move];
};

/** Two people count a report from another source. The report then becomes a credit under its own source. */
export const reportCounted: Part = (world, draft) => {
  const { random, tables } = world;
  // The report is sometimes linked to a credit. The money of a linked report is never separate money.
  const report = random.chance(0.3)
    ? anyOf(world, tables.reports)
    : [...tables.reports.values()].find(({ state }) => state === 'case');
  if (report === undefined) return;
  const { isRepeat: _, creditId: __, ...reported } = report;
  const id = idOf(world, 'crd');
  const blank = { parentId: null, state: 'unmatched', exception: null, transactionId: null } as const;
  draft.newCredits = [...(draft.newCredits ?? []), { ...reported, ...blank, id, version: 1, tries: 0 }];
  const others = draft.reports ?? [];
  if (others.some(({ after }) => after.id === report.id)) return;
  const move = onward(world, report, { state: 'counted', creditId: id, dueAtMs: null });
  draft.reports = [...others, move];
};

export function askedOfReports(world: World): Operation {
  const { random, tables } = world;
  const report = anyOf(world, tables.reports);
  const accounts = VENDORS.flatMap((number) => [`providus-bank:${number}`, `unknown:${number}`]);
  return random.pick([
    () =>
      op(
        'setSource',
        random.pick(['test', 'live'] as const),
        random.pick(accounts),
        random.pick(['other', 'statements', 'bank']),
      ),
    () => op('creditSources', random.pick(['test', 'live'] as const), accounts),
    () => op('creditsLike', [report ?? reportOf(world), reportOf(world)]),
    () => op('findReport', report?.mode ?? 'test', report?.source ?? 'other', report?.sourceId ?? 'x'),
  ])();
}
