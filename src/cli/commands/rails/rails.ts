// The command-line commands for rails: their health, routes, caps and pauses. A change that allows live payouts needs two
// people. A pause needs one person.
import { type RailOverview, readRails, readRoutes } from '../../../app/rails/read-rails.ts';
import { formatNaira } from '../../../domain/values/money.ts';
import { renderRail, renderRoute } from '../../../renderings/rails.ts';
import type { DescribedFoundation } from '../../../wire/foundation.ts';
import { type Command, defineCommand, MODE, nairaOption, printTable, REQUIRED_MODE } from '../../command.ts';
import { CommandError } from '../../terminal/command-error.ts';
import { requestSettingChange } from '../decision-words.ts';
import { eventCommands } from './events.ts';
import { routeCommands } from './routes.ts';
import { RAIL_HEADINGS, railLines, railRow } from './words.ts';

const listCommand = defineCommand({
  name: 'rails list',
  summary: 'List the payout rails: state, success of recent payouts, cap and balance.',
  options: { mode: MODE },
  run: (terminal, { options }) =>
    terminal.withFoundation(async (foundation) => {
      const rails = await readRails(foundation, options.mode);
      if (rails.length > 0) printTable(terminal, [RAIL_HEADINGS, ...rails.map(railRow)]);
      else terminal.print('No payout rail is known. Rails appear once the service has started.');
      return { rails: await renderRails(foundation, rails) };
    }),
});

const showCommand = defineCommand({
  name: 'rails show',
  words: ['NAME'],
  summary: 'Show all details of one rail.',
  options: { mode: REQUIRED_MODE },
  run: (terminal, { words: [name], options: { mode } }) =>
    terminal.withFoundation(async (foundation) => {
      const found = (await readRails(foundation, mode)).find(({ rail }) => rail === name);
      if (found === undefined)
        throw new CommandError(
          `There is no ${mode} rail ${name}. To list them: bin/sliproad rails list`,
          'not_found',
        );
      for (const line of railLines(found, foundation.clock.now())) terminal.print(line);
      const [rail] = await renderRails(foundation, [found]);
      return { rail };
    }),
});

async function renderRails({ proposalDesk, banks }: DescribedFoundation, rails: readonly RailOverview[]) {
  const actors = rails.flatMap(({ pauses }) => pauses.map(({ actor }) => actor));
  const names = await proposalDesk.namesOf([...new Set(actors)]);
  return rails.map((each) => renderRail(each, names, banks));
}

const routesCommand = defineCommand({
  name: 'rails routes',
  summary:
    'Show the routing table. In a mode without routes, payouts go to the rails in the order of configuration.',
  options: { mode: MODE },
  run: (terminal, { options }) =>
    terminal.withFoundation(async (foundation) => {
      const all = await readRoutes(foundation, options.mode);
      const bound = (minor: bigint | null) => (minor === null ? 'none' : formatNaira(minor));
      if (all.length === 0)
        terminal.print('There are no routes: payouts go to the rails in the order of configuration.');
      else
        printTable(terminal, [
          ['MODE', 'ROUTE', 'PRIORITY', 'RAIL', 'WEIGHT', 'FROM', 'TO', 'BANKS', 'COST', 'ON'],
          ...all.map((each) => [
            ...[each.mode, String(each.id), String(each.priority), each.rail, String(each.weight)],
            ...[bound(each.minMinor), bound(each.maxMinor), each.bankCodes?.join(' ') ?? 'all'],
            ...[bound(each.costMinor), each.enabled ? 'yes' : 'no'],
          ]),
        ]);
      return { routes: all.map((each) => renderRoute(each, foundation.banks)) };
    }),
});

const capCommand = defineCommand({
  name: 'rails cap',
  words: ['NAME', 'NAIRA'],
  summary: `Set the daily cap on new payouts of a rail (Lagos time). Payouts already made today count; "none" removes the cap. A live cap needs the approval of another person.`,
  options: { mode: REQUIRED_MODE },
  run: async (terminal, { words: [rail, given], options: { mode } }) => {
    const perDayMinor = given === 'none' ? null : nairaOption(given, 'NAIRA');
    return terminal.withFoundation(async (foundation) => {
      const request = { setting: 'rail_cap_set', mode, rail, perDayMinor } as const;
      const { write, json } = await requestSettingChange(terminal, foundation, request);
      const amount = perDayMinor === null ? 'no cap' : `a cap of ${formatNaira(perDayMinor)} a day`;
      if (write !== undefined) terminal.print(`${mode} ${rail} has ${amount}.`);
      return json;
    });
  },
});

const pauseRailCommand = defineRailCommand(
  'rails pause',
  'rail_paused',
  'Pause a rail: it gets no new payouts. Payouts in progress continue. One person is enough.',
  'is paused and gets no new payouts. To resume it: bin/sliproad rails resume',
);

const resumeRailCommand = defineRailCommand(
  'rails resume',
  'rail_resumed',
  'Resume a rail, including one that the health check paused. A live rail needs the approval of another person.',
  'gets new payouts again.',
);

const trustRailCommand = defineRailCommand(
  'rails trust',
  'rail_trusted',
  'Trust the refusals of a rail again after it paid a payout that it had refused: a refused payout may then use another rail. A live rail needs the approval of another person.',
  'is trusted again: a payout that it refuses goes to another rail or is returned.',
);

function defineRailCommand(
  name: string,
  setting: 'rail_paused' | 'rail_resumed' | 'rail_trusted',
  summary: string,
  done: string,
): Command {
  return defineCommand({
    name,
    words: ['NAME'],
    summary,
    options: {
      mode: REQUIRED_MODE,
      reason: { value: 'TEXT', needed: true, about: 'the reason, shown by rails show' },
    },
    run: (terminal, { words: [rail], options: { mode, reason } }) =>
      terminal.withFoundation(async (foundation) => {
        const { write, json } = await requestSettingChange(terminal, foundation, {
          setting,
          mode,
          rail,
          reason,
        });
        if (write !== undefined) terminal.print(`${mode} ${rail} ${done}`);
        return json;
      }),
  });
}

export const railCommands: readonly Command[] = [
  listCommand,
  showCommand,
  routesCommand,
  ...routeCommands,
  capCommand,
  pauseRailCommand,
  resumeRailCommand,
  trustRailCommand,
  ...eventCommands,
];
