// Plays how the customers of a sell pay with tokens on a network, and what the bank does with their naira afterwards. The
// service learns about both only from its feeds.
import { parseBankReference } from '../../../src/domain/records/movement.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import { makeDice } from '../../support/dice.ts';
import type { Setting } from '../world/setting.ts';
import type { Errand } from './errands.ts';
import { reportAgain, returnPayouts } from './notices.ts';
import { LATER_MS, SOON_MS, TOO_LATE_MS } from './payments.ts';

/** The customer can only send tokens to the address in the response, so this happens after the acceptance. */
export function paySell(setting: Setting, errand: Errand, { id, deposits, expiresAtMs }: Transaction): void {
  const { agenda, dice } = setting;
  const { how, reference } = errand;
  const instruction = deposits.find(({ network }) => network === errand.network) ?? deposits[0]!;
  const { expectedToken } = instruction;
  const soonMs = dice.below(SOON_MS);
  const send = (afterMs: number, amountMinor: bigint, name: string, ourToken = true) =>
    agenda.at(agenda.now() + afterMs, () => {
      const { network: networkName, address, memo } = instruction;
      const network = setting.outside.networks.find((each) => each.name === networkName)!;
      setting.tale.line(
        'network',
        `${name}-${reference} of ${amountMinor} arrives on ${networkName} for ${id}`,
      );
      network.arrive(`${name}-${reference}`, { address, memo, amountMinor, ourToken });
    });
  worthless(setting, errand, send, expectedToken);
  switch (how) {
    case 'exact':
      send(soonMs, expectedToken, 'send');
      break;
    case 'split': {
      const first = (expectedToken * BigInt(dice.between(1, 9))) / 10n;
      send(soonMs, first, 'send');
      send(soonMs + dice.below(8_000), expectedToken - first, 'rest');
      break;
    }
    case 'late':
      send(expiresAtMs - agenda.now() + dice.below(TOO_LATE_MS), expectedToken, 'send');
      break;
    case 'short':
      send(soonMs, (expectedToken * 9n) / 10n, 'send');
      break;
    case 'over':
      send(soonMs, (expectedToken * 11n) / 10n, 'send');
      break;
    case 'paid_twice':
      send(soonMs, expectedToken, 'send');
      send(soonMs + dice.below(20_000), expectedToken, 'again');
      break;
    case 'reported_twice':
      send(soonMs, expectedToken, 'send');
      send(soonMs + dice.below(20_000), expectedToken, 'send');
      break;
    case 'wrong_token':
      send(soonMs, expectedToken, 'send', false);
      break;
    case 'dust':
      send(soonMs, expectedToken / 2n + 3n, 'send');
      send(soonMs + 500, expectedToken - expectedToken / 2n + 7n, 'rest');
      break;
    case 'returned':
      send(soonMs, expectedToken, 'send');
      agenda.at(agenda.now() + dice.between(20_000, LATER_MS), () => returnPayouts(setting, id));
      break;
    case 'returned_twice': {
      const atMs = agenda.now() + dice.between(20_000, LATER_MS);
      send(soonMs, dice.percent(70) ? expectedToken : (expectedToken * 11n) / 10n, 'send');
      agenda.at(atMs, () => returnPayouts(setting, id));
      agenda.at(atMs + 1, () => reportAgain(setting, 'payout_returned', isOf(setting, id)));
      break;
    }
    default:
      break;
  }
}

function worthless(
  { seed }: Setting,
  { reference, how }: Errand,
  send: (afterMs: number, amountMinor: bigint, name: string, ourToken: boolean) => void,
  expectedToken: bigint,
): void {
  const dice = makeDice(`${seed} worthless ${reference}`);
  if (!dice.percent(how === 'exact' ? 4 : 20)) return;
  send(dice.below(SOON_MS), dice.pick([expectedToken, expectedToken / 2n, 1n]), 'worthless', false);
}

function isOf({ model }: Setting, transactionId: string): (about: string) => boolean {
  return (about) => model.tables.movements.get(parseBankReference(about))?.transactionId === transactionId;
}
