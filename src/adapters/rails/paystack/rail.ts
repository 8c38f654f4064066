// Defines a Paystack account as a rail. The rail reports incoming money and sends events about it if BANKS_FILE has a start
// date for this. A returned payout is found by a query about that payout.
import { termsOfRail } from '../../../domain/rails/terms.ts';
import type { Rail } from '../../../ports/rails/rail.ts';
import { type BanksFileRail, defineRailKind, type RailDeps } from '../rail-kind.ts';
import { makePaystackClient } from './client.ts';
import { makePaystackEvents } from './events.ts';
import { makePaystackPayoutList } from './payout-list.ts';
import { makePaystackPayouts } from './payouts.ts';
import { OPTIONS, type PaystackSettings, readPaystackSettings, SECRETS } from './settings.ts';
import { makePaystackStatement } from './statement.ts';

export const paystack = defineRailKind({
  modes: ['live', 'test'],
  options: OPTIONS,
  secrets: SECRETS,
  read: readPaystackSettings,
  open: openPaystack,
});

export function openPaystack(
  { name, account }: BanksFileRail,
  settings: PaystackSettings,
  { directory, clock }: RailDeps,
): Rail {
  const client = makePaystackClient(settings);
  const { creditsFromMs: fromMs, creditsLagMs: lagMs } = settings;
  return {
    name,
    account,
    pace: { readEveryMs: 15_000, askAfterMs: 5_000 },
    terms: settings.terms ?? termsOfRail(settings),
    payouts: makePaystackPayouts({ client, directory, settings }),
    payoutList: makePaystackPayoutList(client),
    statement: fromMs === null ? null : makePaystackStatement({ client, directory, clock, fromMs, lagMs }),
    events: makePaystackEvents({ name, client, directory, settings }),
  };
}
