// Commands that set desk prices, or withdraw them before they expire. A price far from the last accepted value becomes a
// proposal.

import { formatExactDuration } from '../../../domain/back-office/describe-setting.ts';
import type { PriceInput, SettingRequest } from '../../../domain/back-office/setting.ts';
import type { RateProduct } from '../../../domain/rates/rates.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { DescribedFoundation } from '../../../wire/foundation.ts';
import {
  bpsOption,
  type Command,
  defineCommand,
  durationOption,
  REQUIRED_MODE,
  type Terminal,
} from '../../command.ts';
import { UsageError } from '../../terminal/command-error.ts';
import type { Json, JsonObject } from '../../terminal/json.ts';
import { requestSettingChange } from '../decision-words.ts';
import { changeSpread } from './spread.ts';
import { parseCurrency, REQUIRED_PRODUCT, rateText } from './words.ts';

type OpenedFoundation = DescribedFoundation & { readonly actor: string };

export const setPricesCommand: Command = defineCommand({
  name: 'rates set',
  words: ['CODE=VALUE...'],
  summary:
    'Set desk prices in naira per unit. Each price has its own expiry; other currencies keep theirs. A price far from the last accepted value needs the approval of another person.',
  options: {
    mode: REQUIRED_MODE,
    product: REQUIRED_PRODUCT,
    'valid-for': { value: 'DURATION', about: 'validity of the prices (default: 24h)' },
    override: { about: 'use these prices alone while they are valid, ignoring other sources' },
    spread: { value: 'BPS', about: 'also set the spread of the product: 50 is 0.5 %' },
  },
  run: async (terminal, { words: [pairs], options }) => {
    const { mode, product, override } = options;
    const validForMs = durationOption(options['valid-for'] ?? '24h', '--valid-for');
    const prices = pairs.map(readPricePair);
    const spreadBps = options.spread === undefined ? undefined : bpsOption(options.spread, '--spread');
    return terminal.withFoundation(async (foundation) => {
      const request = { setting: 'rates_set', mode, product, prices, validForMs, override } as const;
      const json = await changePrices(terminal, foundation, request);
      if (spreadBps === undefined) return json;
      return { ...json, spread: await setProductSpread(terminal, foundation, { mode, product, spreadBps }) };
    });
  },
});

export const withdrawPricesCommand: Command = defineCommand({
  name: 'rates withdraw',
  words: ['CODE...'],
  summary:
    'Withdraw desk prices now. One person is enough. The other sources take over if there are enough of them.',
  options: { mode: REQUIRED_MODE, product: REQUIRED_PRODUCT },
  run: (terminal, { words: [codes], options: { mode, product } }) =>
    terminal.withFoundation(async (foundation) => {
      const currencies = [...new Set(codes.map(parseCurrency))];
      const request = { setting: 'rates_withdrawn', mode, product, currencies } as const;
      const { json } = await requestSettingChange(terminal, foundation, request);
      terminal.print(`${mode} ${product}: the desk prices of ${currencies.join(', ')} are withdrawn.`);
      return json;
    }),
});

async function changePrices(
  terminal: Terminal,
  foundation: OpenedFoundation,
  request: Extract<SettingRequest, { setting: 'rates_set' }>,
): Promise<JsonObject> {
  const { write, json } = await requestSettingChange(terminal, foundation, request);
  if (write?.setting !== 'rates_set') return json;
  const { mode, product, prices, validForMs } = write.rates;
  const list = prices.map(({ currency, valueE4 }) => `${currency} ${rateText(valueE4)}`);
  terminal.print(
    `${mode} ${product} desk prices set, valid for ${formatExactDuration(validForMs)}: ${list.join(', ')}.`,
  );
  return json;
}

/**
 * Sets the spread rule of the product, unless the rule already has this value. An operator can therefore run the same command
 * every day.
 */
async function setProductSpread(
  terminal: Terminal,
  foundation: OpenedFoundation,
  {
    mode,
    product,
    spreadBps,
  }: { readonly mode: Mode; readonly product: RateProduct; readonly spreadBps: number },
): Promise<Json> {
  const rules = await foundation.rateStore.listSpreads(mode);
  const rule = rules.findLast(
    (each) => each.product === product && each.currency === null && each.tier === null,
  );
  if (rule?.spreadBps === spreadBps) {
    terminal.print(`The spread is already ${spreadBps} bps.`);
    return { done: true, proposal: null };
  }
  return changeSpread(terminal, foundation, { mode, product, currency: null, tier: null, spreadBps });
}

function readPricePair(pair: string): PriceInput {
  const match = /^([A-Za-z]{3})=(\S+)$/.exec(pair);
  if (match === null)
    throw new UsageError(`"${pair}" must have the form CODE=VALUE, for example USD=1361.5.`);
  return { currency: parseCurrency(match[1]!), price: match[2]! };
}
