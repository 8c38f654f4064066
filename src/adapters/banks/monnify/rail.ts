// A rail at Monnify. It pays; what came into reserved accounts is not read here, because its list of transactions names neither the
// payer nor the account that was paid.
import type { Rail } from '../../../ports/bank/rail.ts';
import type { RailDeps, RailKind, RailRow } from '../rail-kind.ts';
import { makeMonnifyClient } from './client.ts';
import { bankCodes, makeMonnifyPayouts } from './payouts.ts';
import { type MonnifySettings, readMonnifySettings } from './settings.ts';
import { makeMonnifyValidation } from './validation.ts';

export const monnify: RailKind = {
  modes: ['live', 'test'],
  read: (options) => {
    const settings = readMonnifySettings(options);
    return (row, deps) => openMonnify(row, settings, deps);
  },
};

export function openMonnify(
  { name, account }: RailRow,
  settings: MonnifySettings,
  { directory, clock }: RailDeps,
): Rail {
  const client = makeMonnifyClient(settings, clock);
  const codes = bankCodes(directory);
  const ours = new Map([...codes].map(([code, theirs]) => [theirs, code]));
  return {
    name,
    account,
    // Six questions take more than five minutes: an equal payout is refused for two (D07), and may be given again after that.
    pace: { readEveryMs: 60_000, askAfterMs: 5_000, repeatAfterAsks: 6 },
    payouts: makeMonnifyPayouts({ client, settings, account, codes }),
    statement: null,
    validation: makeMonnifyValidation({ settings, account, bankOf: (code) => ours.get(code) ?? null }),
  };
}
