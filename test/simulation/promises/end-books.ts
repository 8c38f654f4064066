// The books beside those of the outside world: the networks' tokens, the bank's naira, and every payment by name.

import { type AccountName, keyOf, partsOf } from '../../../src/domain/ledger/ledger.ts';
import { NAIRA, tokenAsset } from '../../../src/domain/values/assets.ts';
import { MODE } from '../people/company.ts';
import type { Setting } from '../world/setting.ts';
import type { Watch } from './watch.ts';

export function balanceOf({ model }: Setting, asset: string, name: AccountName): bigint {
  return model.tables.accounts.get(keyOf(MODE, asset, name)) ?? 0n;
}

export async function booksAreTheWorld(setting: Setting, watch: Watch): Promise<void> {
  const { outside, model, agenda } = setting;
  const { tables } = model;
  const equal = (what: string, ours: bigint, theirs: bigint) => {
    if (ours !== theirs)
      setting.broken(
        'the books agree with the outside world',
        `${what}: ${ours} here, ${theirs} there`,
        null,
      );
  };
  for (const { name, asset } of outside.networks) {
    const token = tokenAsset(asset.code, name);
    const funded = -balanceOf(setting, token, 'capital');
    const settled = await outside.world.settledMinor(name, agenda.now());
    equal(`tokens on ${name}`, balanceOf(setting, token, 'treasury'), funded + settled.in - settled.out);
  }
  const { lines, payouts } = outside.happened;
  const once = new Map(lines.map(({ line }) => [`${line.kind} ${line.sourceId}`, line]));
  let cameIn = 0n;
  let returned = 0n;
  const gone = new Set<string>();
  for (const line of once.values()) {
    if (line.kind === 'credit') {
      cameIn += line.amountMinor;
      continue;
    }
    // However often and under whatever names it is reported: money is gone once.
    if (!isBooked(setting, line.sourceId) || gone.has(`${line.kind} ${line.about}`)) continue;
    gone.add(`${line.kind} ${line.about}`);
    if (line.kind === 'credit_reversed') cameIn -= line.amountMinor;
    else returned += line.amountMinor;
  }
  let bankIn = 0n;
  for (const [account, balance] of tables.accounts)
    if (partsOf(account).name === 'bank_in') bankIn += balance;
  equal('naira that came in', bankIn, cameIn);
  const made = payouts.filter(({ fate }) => fate !== 'fails');
  const out = made.reduce((sum, { amountMinor, chargeMinor }) => sum + amountMinor + chargeMinor, 0n);
  const funded = -balanceOf(setting, NAIRA, 'capital');
  equal('naira to pay out from', balanceOf(setting, NAIRA, 'bank_out'), funded + returned - out);
  for (const { id, state } of tables.movements.values())
    if ((state === 'done') !== watch.paid.has(id))
      setting.broken('what is done is what was paid', `${id} is ${state}`, id);
}

/** What waits for people is not in the books yet, and what they dismiss never is. */
function isBooked({ model }: Setting, sourceId: string): boolean {
  const { notices, proposals } = model.tables;
  const notice = [...notices.values()].find((each) => each.sourceId === sourceId);
  if (notice?.state !== 'done') return false;
  return ![...proposals.values()].some(
    ({ request, decision }) =>
      request.action === 'dismiss' && request.subjectId === notice.id && decision?.approved === true,
  );
}
