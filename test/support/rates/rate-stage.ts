// The review stage with rates: a clock that the test can move, one outside source for live dollars in addition to the desk, and
// people who set and approve prices.
import assert from 'node:assert/strict';
import type { Database } from '../../../src/adapters/postgres/connection/database.ts';
import { changeSetting } from '../../../src/app/back-office/change-setting.ts';
import { decideBooks } from '../../../src/app/rates/decide-books.ts';
import { showBook } from '../../../src/app/rates/show-book.ts';
import { decideProposal, findProposal, type ProposalDeps } from '../../../src/app/review/decide-proposal.ts';
import { findApprovalObstacle } from '../../../src/app/review/list-proposals.ts';
import type { SettingRequest } from '../../../src/domain/back-office/setting.ts';
import { parseRate, RATE_PRODUCTS } from '../../../src/domain/rates/rates.ts';
import { DESK } from '../../../src/domain/rates/reading.ts';
import { STANDARD_TIER } from '../../../src/domain/rates/spread.ts';
import { MODES, type Mode } from '../../../src/domain/values/mode.ts';
import type { DeskPrice, RatePlan } from '../../../src/ports/rates.ts';
import { agreeOnSetting, CHECKER, giveStepUp, MAKER } from '../people/reviewers.ts';
import { openReviewStage } from '../review-stage.ts';

const DAY_MS = 86_400_000;
const MARKET = 'market';

/**
 * In live mode, otc_buy has the source `market` and the desk and needs only one of them, and usdc_ngnc has only `market`. Test
 * mode has only the desk.
 */
const RATE_PLAN: RatePlan = {
  sources: [
    {
      ...{ name: MARKET, kind: 'stage', everyMs: 60_000, timeoutMs: 1_000, ageLimitMs: 365 * DAY_MS },
      read: async () => [],
    },
  ],
  planOf: (mode, product) => ({
    ...{ product, minimum: 1 },
    sources: mode === 'test' ? [DESK] : product === 'otc_buy' ? [MARKET, DESK] : [MARKET],
  }),
};

type Prices = Readonly<Record<string, string>>;

interface Stage {
  readonly database: Database;
  readonly deps: ProposalDeps;
}

/** Opens the stage. Every product has a spread of 100 basis points, unless the test sets its own spread. */
export async function openRateStage({ spreads = true }: { readonly spreads?: boolean } = {}) {
  const { database, deps: reviewDeps } = await openReviewStage();
  let movedMs = 0;
  const clock = { now: () => reviewDeps.clock.now() + movedMs };
  const stage: Stage = { database, deps: { ...reviewDeps, clock, ratePlan: RATE_PLAN } };
  const people = makePeople(stage);
  if (spreads)
    for (const mode of MODES)
      for (const product of RATE_PRODUCTS)
        await people.agree({
          ...{ setting: 'spread_set', mode, product, currency: null, tier: null, spreadBps: 100 },
        });
  return {
    ...{ ...stage, ...people, ...makeBooks(stage) },
    wait: (ms: number) => {
      movedMs += ms;
    },
  };
}

function pricesOf(mode: Mode, prices: Prices, more: object = {}): SettingRequest {
  return {
    ...{ setting: 'rates_set', mode, product: 'otc_buy', validForMs: DAY_MS, override: false },
    prices: Object.entries(prices).map(([currency, price]) => ({ currency, price })),
    ...more,
  };
}

function makePeople({ database, deps }: Stage) {
  const change = async (request: SettingRequest, actor = MAKER): Promise<string> => {
    const changed = await changeSetting(deps, request, { actor });
    if (!changed.ok) return changed.error.message;
    return changed.value.kind === 'done' ? 'done' : `proposed: ${changed.value.proposal.why ?? ''}`;
  };
  return {
    change,
    set: (mode: Mode, prices: Prices, more: object = {}, actor = MAKER) =>
      change(pricesOf(mode, prices, more), actor),
    withdraw: (mode: Mode, currencies: readonly string[], actor = MAKER) =>
      change({ setting: 'rates_withdrawn', mode, product: 'otc_buy', currencies }, actor),
    agree: async (request: SettingRequest) => {
      const agreed = await agreeOnSetting({ ...deps, database }, request);
      return agreed.ok ? 'ok' : agreed.error.message;
    },
    propose: async (mode: Mode, prices: Prices) => {
      const asked = await changeSetting(deps, pricesOf(mode, prices), { actor: MAKER });
      assert.ok(asked.ok && asked.value.kind === 'proposed', asked.ok ? 'done' : asked.error.message);
      return asked.value.proposal.id;
    },
    approve: async (proposalId: string, actor = CHECKER) => {
      const facts = { personId: actor, subjectId: proposalId, atMs: deps.clock.now() };
      const stepUp = await giveStepUp(database, facts);
      const decision = { proposalId, actor, approve: true, reason: 'looked at', stepUp };
      const decided = await decideProposal(deps, decision);
      return decided.ok ? 'ok' : decided.error.code;
    },
    obstacle: async (proposalId: string) =>
      findApprovalObstacle(deps, (await findProposal(deps, proposalId))!),
  };
}

function makeBooks({ database, deps }: Stage) {
  const { rateStore, clock } = deps;
  const rows = (mode: Mode) => rateStore.listDeskPrices(mode, 'otc_buy', 0);
  return {
    rows,
    decide: () => decideBooks(deps),
    report: async (usd: string) => {
      const atMs = clock.now();
      await rateStore.leaseSources([MARKET], atMs, 1_000);
      const rate = { currency: 'USD', valueE4: parseRate(usd)!, asOfMs: atMs } as const;
      await rateStore.saveReading(MARKET, [rate], atMs, atMs + 60_000);
    },
    accept: async (mode: Mode, valueE4: bigint) => {
      await database.query({
        text: `update rate_values set value_e4 = $2 where mode = $1 and product = 'otc_buy' and currency = 'USD'`,
        values: [mode, valueE4.toString()],
      });
    },
    prices: async (mode: Mode): Promise<Readonly<Partial<Record<string, DeskPrice>>>> => {
      const newest = (await rows(mode)).toReversed().map((price) => [price.currency, price] as const);
      return Object.fromEntries(newest.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
    },
    served: async (mode: Mode) => {
      const book = await showBook(deps, { mode, product: 'otc_buy', tier: STANDARD_TIER });
      return book.values.filter(({ notServed }) => notServed === null).map(({ currency }) => currency);
    },
  };
}
