// Defines the rail of a bank that makes NIP transfers and has an API like that of Providus. The bank has no list of incoming
// payments; its events report them. It has no list of payouts either, so payouts are compared with the statement of its
// account. A returned payout is found by a query about that payout.
import { termsOfRail } from '../../../domain/rails/terms.ts';
import type { Rail } from '../../../ports/rails/rail.ts';
import { type BanksFileRail, defineRailKind, type RailDeps } from '../rail-kind.ts';
import { makeNipClient } from './client.ts';
import { makeNipEvents } from './events.ts';
import { makeNipPayouts } from './payouts.ts';
import { type NipBankSettings, OPTIONS, readNipBankSettings, SECRETS } from './settings.ts';

export const nipBank = defineRailKind({
  modes: ['live', 'test'],
  options: OPTIONS,
  secrets: SECRETS,
  read: readNipBankSettings,
  open: openNipBank,
});

export function openNipBank(
  { name, account }: BanksFileRail,
  settings: NipBankSettings,
  { directory, clock }: RailDeps,
): Rail {
  const client = makeNipClient(settings);
  const { credits, client: credentials } = settings;
  return {
    name,
    account,
    pace: { readEveryMs: 60_000, askAfterMs: 5_000 },
    terms: settings.terms ?? termsOfRail(settings),
    payouts: makeNipPayouts({ client, directory, account, settings }),
    statement: null,
    ...(credits !== null &&
      credentials !== null && {
        events: makeNipEvents({ name, client, account, clock, credits, credentials }),
      }),
  };
}
