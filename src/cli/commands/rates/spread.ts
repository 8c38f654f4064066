// The command-line commands for spreads. The most specific spread rule applies: first a rule for tier and currency, then for
// tier, then for currency, then for product.
import type { SpreadInput } from '../../../domain/back-office/setting.ts';
import { CURRENCIES } from '../../../domain/rates/rates.ts';
import { MODES } from '../../../domain/values/mode.ts';
import { renderSpread } from '../../../renderings/rates.ts';
import type { DescribedFoundation } from '../../../wire/foundation.ts';
import {
  bpsOption,
  type Command,
  defineCommand,
  isoTimeText,
  MODE,
  printTable,
  REQUIRED_MODE,
  type Terminal,
} from '../../command.ts';
import type { Json } from '../../terminal/json.ts';
import { requestSettingChange } from '../decision-words.ts';
import { REQUIRED_PRODUCT } from './words.ts';

const setSpreadCommand = defineCommand({
  name: 'rates spread set',
  words: ['BPS'],
  summary: 'Set a spread in basis points, from now on. A live spread needs the approval of another person.',
  options: {
    mode: REQUIRED_MODE,
    product: REQUIRED_PRODUCT,
    currency: { choices: CURRENCIES, about: 'only for this currency' },
    tier: { value: 'NAME', about: 'only for businesses of this tier' },
  },
  run: (terminal, { words: [bps], options: { mode, product, currency = null, tier = null } }) =>
    terminal.withFoundation((foundation) => {
      const spreadBps = bpsOption(bps, 'BPS');
      return changeSpread(terminal, foundation, { mode, product, currency, tier, spreadBps });
    }),
});

const listSpreadsCommand = defineCommand({
  name: 'rates spread list',
  summary:
    'List every spread that was ever set, oldest first. Of equally specific rules, the newest applies.',
  options: { mode: MODE },
  run: (terminal, { options }) =>
    terminal.withFoundation(async ({ rateStore, proposalDesk }) => {
      const modes = options.mode === undefined ? MODES : [options.mode];
      const spreads = (await Promise.all(modes.map((mode) => rateStore.listSpreads(mode)))).flat();
      if (spreads.length > 0)
        printTable(terminal, [
          ['MODE', 'PRODUCT', 'CURRENCY', 'TIER', 'BPS', 'FROM', 'SET BY'],
          ...spreads.map(({ mode, product, currency, tier, spreadBps, fromMs, setBy }) => [
            ...[
              mode,
              product,
              currency ?? 'all',
              tier ?? 'all',
              String(spreadBps),
              isoTimeText(fromMs),
              setBy,
            ],
          ]),
        ]);
      else
        terminal.print(
          'No spread is set, so no rate is quoted. To set one: bin/sliproad rates spread set --help',
        );
      const names = await proposalDesk.namesOf([...new Set(spreads.map(({ setBy }) => setBy))]);
      return {
        spreads: spreads.map((spread) => {
          const { setBy: actor } = spread;
          return renderSpread({ spread, setBy: { actor, name: names.get(actor) ?? null } });
        }),
      };
    }),
});

export const spreadCommands: readonly Command[] = [setSpreadCommand, listSpreadsCommand];

export async function changeSpread(
  terminal: Terminal,
  foundation: DescribedFoundation & { readonly actor: string },
  spread: SpreadInput,
): Promise<Json> {
  const { write, json } = await requestSettingChange(terminal, foundation, {
    setting: 'spread_set',
    ...spread,
  });
  if (write === undefined) return json;
  const { mode, product, currency, tier, spreadBps } = spread;
  const which = [currency, tier === null ? null : `tier ${tier}`].filter((each) => each !== null);
  const all =
    which.length === 0 ? 'all currencies and tiers without a spread of their own' : which.join(', ');
  terminal.print(`The ${mode} ${product} spread is ${spreadBps} bps, for ${all}.`);
  return json;
}
