// The request that the benchmarks of acceptance send again and again.
import { BUY_REQUEST } from '../src/http/reference/examples.ts';
import type { BenchService } from './service-process.ts';

export const ONRAMP = '/transactions/v1/onramp';

export function openBuy({ businessId }: BenchService): string {
  const { reference: _own, ...buy } = BUY_REQUEST;
  const body = JSON.stringify({ ...buy, business_id: businessId });
  return body.slice(0, -1);
}
