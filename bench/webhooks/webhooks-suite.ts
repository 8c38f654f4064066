// Measures webhook deliveries per second to a receiver on this machine, for one endpoint and for many endpoints. It also
// measures how much hanging endpoints delay the other endpoints.
import type { SuiteResult } from '../report.ts';
import type { RoundOptions } from '../rounds.ts';
import { hanging } from './hanging.ts';
import { type Part, startReceiver } from './receiver-process.ts';
import { throughput } from './throughput.ts';

const PARTS: readonly Part[] = [throughput, hanging];

export async function webhooks(options: RoundOptions): Promise<SuiteResult> {
  const receiver = await startReceiver();
  try {
    const results: Omit<SuiteResult, 'suite'>[] = [];
    for (const part of PARTS) results.push(await part(receiver, options));
    return {
      suite: 'webhooks',
      notes: results.flatMap(({ notes }) => notes),
      rates: Object.assign({}, ...results.map(({ rates }) => rates)) as SuiteResult['rates'],
      ratios: results.flatMap(({ ratios }) => ratios),
    };
  } finally {
    await receiver.stop();
  }
}
