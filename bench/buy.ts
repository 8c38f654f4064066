// The request that the acceptance benchmarks repeat.
import { BUY_REQUEST } from '../src/http/reference/examples.ts';
import type { BenchService } from './service-process.ts';

export const ONRAMP = '/transactions/v1/onramp';

/** A buy as integrators send it, without the reference. */
export function openBuy({ businessId }: BenchService): string {
  const { reference: _own, ...buy } = BUY_REQUEST;
  const body = JSON.stringify({ ...buy, business_id: businessId });
  return body.slice(0, -1);
}
