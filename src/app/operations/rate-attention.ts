// Attention items about rates: a product that should have rates but has none, and a source that is not read because it fails.
import type { Mode } from '../../domain/values/mode.ts';
import type { RateStore } from '../../ports/rates.ts';
import { type JudgeProductsDeps, judgeProducts } from '../rates/judge-products.ts';
import { ratesUnavailable } from '../rates/rates-unavailable.ts';
import type { Severity } from './attention-words.ts';

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

/** Only live mode has sources. */
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
