// Reads from the chain a balance that will be booked. The result is the smaller of two providers' answers, so that a provider
// that lags or lies cannot make it larger. If only one provider is configured, its answer is used.

import type { ProviderWork } from './provider-connection.ts';
import type { Providers } from './providers.ts';

export async function readLeastOfTwo<Client>(
  providers: Providers<Client>,
  work: ProviderWork<Client, bigint>,
): Promise<bigint> {
  const said = await providers.agree(work, (a, b) => a === b);
  switch (said.kind) {
    case 'agreed':
      return said.answer;
    case 'differ':
      return said.answers.reduce((least, each) => (each < least ? each : least));
    case 'unconfirmed':
      throw new Error('only one provider answers, but two must answer before a balance is booked');
  }
}
