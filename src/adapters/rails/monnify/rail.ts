// Defines a rail at Monnify, which makes payouts and sends events. The rail also reports money that came into reserved accounts
// if BANKS_FILE has a start date for this.
import { termsOfRail } from '../../../domain/rails/terms.ts';
import type { Rail } from '../../../ports/rails/rail.ts';
import { type BanksFileRail, defineRailKind, type RailDeps } from '../rail-kind.ts';
import { makeMonnifyClient } from './client.ts';
import { makeCollections } from './collections.ts';
import { makeMonnifyEvents } from './events.ts';
import { makeMonnifyPayoutList } from './payout-list.ts';
import { makeMonnifyPayouts, monnifyBankCodes } from './payouts.ts';
import { type MonnifySettings, OPTIONS, readMonnifySettings, SECRETS } from './settings.ts';
import { makeMonnifyStatement } from './statement.ts';
import { makeMonnifyValidation } from './validation.ts';

export const monnify = defineRailKind({
  modes: ['live', 'test'],
  options: OPTIONS,
  secrets: SECRETS,
  read: readMonnifySettings,
  open: openMonnify,
});

export function openMonnify(
  { name, account }: BanksFileRail,
  settings: MonnifySettings,
  { directory, clock }: RailDeps,
): Rail {
  const client = makeMonnifyClient(settings, clock);
  const codes = monnifyBankCodes(directory);
  const ours = new Map([...codes].map(([code, theirs]) => [theirs, code]));
  const bankOf = (code: string) => ours.get(code) ?? null;
  const { creditsFromMs: fromMs, creditsLagMs: lagMs } = settings;
  const collections = makeCollections({ client, directory, clock, bankOf, fromMs });
  return {
    name,
    account,
    pace: { readEveryMs: 60_000, askAfterMs: 5_000 },
    terms: settings.terms ?? termsOfRail(settings),
    payouts: makeMonnifyPayouts({ client, settings, account, codes }),
    payoutList: makeMonnifyPayoutList(client, account),
    statement: fromMs === null ? null : makeMonnifyStatement({ client, collections, clock, fromMs, lagMs }),
    validation: makeMonnifyValidation({ settings, account, bankOf }),
    events: makeMonnifyEvents({ name, settings, collections }),
  };
}
