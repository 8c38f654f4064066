// Commands that add, replace or remove a route in the routing table of rails.

import { describeRoute } from '../../../domain/back-office/describe-setting.ts';
import type { RouteInput } from '../../../domain/back-office/setting.ts';
import { type Command, defineCommand, nairaOption, REQUIRED_MODE } from '../../command.ts';
import { UsageError } from '../../terminal/command-error.ts';
import { requestSettingChange } from '../decision-words.ts';

const setRouteCommand = defineCommand({
  name: 'rails route set',
  words: ['RAIL'],
  summary:
    'Add a route, or replace one with --route. Once a mode has routes, only rails with a matching route get payouts. A live route needs the approval of another person.',
  options: {
    mode: REQUIRED_MODE,
    route: { value: 'NUMBER', about: 'number of the route to replace (rails routes)' },
    priority: {
      value: 'NUMBER',
      needed: true,
      about: '1 to 999; of the matching routes, the lowest number gets the payout',
    },
    weight: {
      value: 'NUMBER',
      about: '0 to 1000: share among equal priorities; 0 = fallback only (default: 100)',
    },
    from: { value: 'NAIRA', about: 'minimum amount of a payout' },
    to: { value: 'NAIRA', about: 'maximum amount of a payout' },
    banks: { value: 'CODES', about: 'only payouts to these banks, separated by commas' },
    cost: { value: 'NAIRA', about: 'cost of one payout' },
    off: { about: 'store the route but do not use it' },
  },
  run: async (terminal, { words: [rail], options }) => {
    const naira = (value: string | undefined, name: string) =>
      value === undefined ? null : nairaOption(value, name);
    const route: RouteInput = {
      id: options.route === undefined ? null : wholeOption(options.route, '--route'),
      rail,
      priority: wholeOption(options.priority, '--priority'),
      weight: wholeOption(options.weight ?? '100', '--weight'),
      minMinor: naira(options.from, '--from'),
      maxMinor: naira(options.to, '--to'),
      bankCodes: options.banks === undefined ? null : options.banks.split(',').map((code) => code.trim()),
      costMinor: naira(options.cost, '--cost'),
      enabled: !options.off,
    };
    const { mode } = options;
    return terminal.withFoundation(async (foundation) => {
      const { write, json } = await requestSettingChange(terminal, foundation, {
        setting: 'rail_route_set',
        mode,
        route,
      });
      if (write?.setting === 'rail_route_set')
        terminal.print(`${mode} route: ${describeRoute(write.route)}. All routes: bin/sliproad rails routes`);
      return json;
    });
  },
});

const removeRouteCommand = defineCommand({
  name: 'rails route remove',
  words: ['NUMBER'],
  summary:
    'Remove a route. If no route is left, payouts go to the rails in the order of configuration. A live route needs the approval of another person.',
  options: { mode: REQUIRED_MODE },
  run: async (terminal, { words: [number], options: { mode } }) => {
    const routeId = wholeOption(number, 'NUMBER');
    return terminal.withFoundation(async (foundation) => {
      const request = { setting: 'rail_route_removed', mode, routeId } as const;
      const { write, json } = await requestSettingChange(terminal, foundation, request);
      if (write !== undefined) terminal.print(`The ${mode} route ${routeId} is removed.`);
      return json;
    });
  },
});

export const routeCommands: readonly Command[] = [setRouteCommand, removeRouteCommand];

function wholeOption(value: string, name: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new UsageError(`${name} must be a whole number such as 100.`);
}
