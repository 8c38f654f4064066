// Attention items about checks that do not run, about vendor accounts without credits, and about rates.

import { ratesUnavailable } from '../../domain/rates/board.ts';
import { lagosDate } from '../../domain/values/calendar.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Guards } from '../../ports/operations/guards.ts';
import type { RateStore } from '../../ports/rates.ts';
import type { SilentVendors } from '../../ports/reconciliation.ts';
import { type JudgeProductsDeps, judgeProducts } from '../rates/judge-products.ts';
import type { Severity } from './attention-words.ts';

export interface GuardAttention {
  readonly kind: 'guard';
  readonly severity: Severity;
  readonly title: string;
  readonly what: string;
  readonly sinceMs: number;
}

const WAITING_SENTENCES = {
  all: 'Outgoing money waits until the check completes again.',
  tokens: 'Token sends wait until the check completes again.',
  nothing: 'No money waits for the check.',
} as const;

export function listGuardAttention(
  { guards }: { readonly guards: Pick<Guards, 'blind'> },
  mode: Mode,
): readonly GuardAttention[] {
  return guards
    .blind()
    .filter((each) => each.mode === undefined || each.mode === mode)
    .map(({ name, asset, stops, sinceMs, problem }) => {
      const why = problem === null ? 'It does not answer.' : `It fails: ${problem}.`;
      return {
        ...{ kind: 'guard', severity: 'critical', sinceMs },
        title: `${name} does not complete${asset === undefined ? '' : ` (${asset})`}`,
        what: `${why} ${WAITING_SENTENCES[stops]} See the log of the service.`,
      };
    });
}

// Lists attention items about vendors to whose account the bank no longer credits incoming payments.

export interface SilentVendorAttentionDeps {
  readonly silentVendors: Pick<SilentVendors, 'list'>;
}

export interface SilentVendorAttention {
  readonly kind: 'silent_vendor';
  readonly severity: Severity;
  readonly title: string;
  readonly what: string;
  readonly sinceMs: number;
}

export async function listSilentVendorAttention(
  { silentVendors }: SilentVendorAttentionDeps,
  mode: Mode,
): Promise<readonly SilentVendorAttention[]> {
  const silences = await silentVendors.list(mode);
  return silences.map(({ name, takenOff, claims, lastCreditAtMs, atMs }) => {
    const last = `Its last credit was on ${lagosDate(lastCreditAtMs)}; ${claims} buys since then were not paid.`;
    return {
      ...{ kind: 'silent_vendor', sinceMs: atMs },
      severity: takenOff ? 'warning' : 'critical',
      title: takenOff
        ? `The account of ${name} stopped receiving credits and was taken off the list`
        : `The account of ${name} stopped receiving credits, and it is the last vendor`,
      what: takenOff
        ? `${last} Ask the bank. When a payment reaches the account again, enable it.`
        : `${last} Buyers are still asked to pay into it. Add another account, and disable this one.`,
    } as const;
  });
}

// Lists attention items about rates: a product that should have rates but has none, and a rate source that the service does not
// read because the source fails.

export interface RateAttentionDeps extends JudgeProductsDeps {
  readonly rateStore: JudgeProductsDeps['rateStore'] & Pick<RateStore, 'listSources'>;
}

export interface RateAttention {
  readonly kind: 'rates' | 'rate_source';
  readonly severity: Severity;
  readonly title: string;
  readonly what: string;
  readonly sinceMs: number | null;
}

export async function listRateAttention(
  deps: RateAttentionDeps,
  mode: Mode,
): Promise<readonly RateAttention[]> {
  const products = (await judgeProducts(deps)).filter((each) => each.mode === mode);
  const lost = products.flatMap(({ product, missing, isExpected }): RateAttention[] => {
    if (missing.length === 0 || !isExpected) return [];
    const title = `${product} has no rates: the API returns 503`;
    const what = ratesUnavailable(missing).message;
    return [{ kind: 'rates', severity: 'critical', title, what, sinceMs: null }];
  });
  return [...lost, ...(mode === 'live' ? await listStoppedSources(deps) : [])];
}

/** Only live mode has rate sources. */
async function listStoppedSources({
  rateStore,
  ratePlan,
}: RateAttentionDeps): Promise<readonly RateAttention[]> {
  const names = new Set(ratePlan.sources.map(({ name }) => name));
  const states = (await rateStore.listSources()).filter(({ name }) => names.has(name));
  return states.flatMap(({ name, openUntilMs, failures, lastFailure, lastReadAtMs }): RateAttention[] => {
    if (openUntilMs === null) return [];
    const title = `The rate source ${name} failed ${failures} times in a row`;
    const what = lastFailure?.message ?? '';
    return [{ kind: 'rate_source', severity: 'warning', title, what, sinceMs: lastReadAtMs }];
  });
}
