// Prepares the configured networks: it reports problems, signs the set-up transactions, and unbinds a database from an old key
// or token. It signs and unbinds only with --yes.
import { recordAction } from '../../app/audit/record-actions.ts';
import type { Config } from '../../config.ts';
import type { Treasury } from '../../ports/networks/network-watch.ts';
import type { CheckedNetwork, NetworkAdmin, PlannedSetUp } from '../../wire/networks/network-admin.ts';
import { type Command, defineCommand, MODE, REQUIRED_MODE, type Terminal } from '../command.ts';
import { decimalText } from '../ledger-tables.ts';
import { CommandError, UsageError } from '../terminal/command-error.ts';
import { decimal, type Json } from '../terminal/json.ts';
import { formatPairs } from '../terminal/table.ts';
import { requestSettingChange } from './decision-words.ts';

type OpenDesk = (config: Config) => NetworkAdmin | Promise<NetworkAdmin>;
type ShownBinding = Awaited<ReturnType<NetworkAdmin['binding']>>;

export function networkCommands(openDesk: OpenDesk): Command[] {
  return [checkCommand(openDesk), setUpCommand(openDesk), rereadCommand(openDesk), forgetCommand(openDesk)];
}

const NAME = 'NAME...';

function checkCommand(openDesk: OpenDesk): Command {
  return defineCommand({
    name: 'networks check',
    words: ['[NAME...]'],
    summary:
      'Check the configured networks as the service does when it starts: chain, token, treasury, providers. Signs nothing.',
    options: { mode: MODE },
    run: async (terminal, { words: [name], options: { mode } }) => {
      const checked = await (await openDesk(terminal.config)).check({
        ...(mode !== undefined && { mode }),
        ...(name.length > 0 && { name: name.join(' ') }),
      });
      const wrong = checked.filter((each) => !showNetwork(terminal, each));
      const answer = checked.map((each) => checkedJson(each, !wrong.includes(each)));
      if (wrong.length === 0) return answer;
      throw new CommandError(
        `Not ready: ${wrong.map((each) => `${each.name} (${each.mode})`).join(', ')}. See docs/operate/networks.md`,
        'failed',
        answer,
      );
    },
  });
}

function checkedJson(checked: CheckedNetwork, ready: boolean): Json {
  const { mode, name, treasury, asset, problem, startsDisabled, notes, providers } = checked;
  const wallet = treasury && {
    ...{ wallet: treasury.wallet, asset: asset.code, tokens: decimal(treasury.tokenMinor, asset.decimals) },
    coin: {
      asset: treasury.native.asset,
      free: decimal(treasury.native.amountMinor, treasury.native.decimals),
    },
    low: lowWarningsOf(treasury),
  };
  const found = { mode, name, ready, problem, starts_disabled: startsDisabled, notes, treasury: wallet };
  return { ...found, providers: providers.map((each) => ({ ...each })) };
}

function showNetwork({ print }: Terminal, checked: CheckedNetwork): boolean {
  const { mode, name, treasury, asset, problem, startsDisabled, notes, providers } = checked;
  const troubles = [
    ...(problem === null ? [] : [problem]),
    ...(treasury === null ? [] : lowWarningsOf(treasury)),
  ];
  const isWell = troubles.length === 0 && providers.every((each) => each.problem === null);
  print(`${name} (${mode}): ${isWell ? 'ok' : 'not ready'}`);
  const rows = [
    ...(treasury === null ? [] : walletRows(treasury, asset)),
    ...providers.map((each) => ['provider', `${each.name}: ${each.problem ?? 'ok'}`]),
    ...troubles.map((each) => ['wrong', each]),
    ...(startsDisabled ? [['note', 'the service starts without it and retries until it answers']] : []),
    ...notes.map((each) => ['note', each]),
  ];
  if (rows.length > 0) print(formatPairs(rows.map(([head, text]) => [`  ${head}`, text!])));
  return isWell;
}

function walletRows({ wallet, tokenMinor, native }: Treasury, asset: CheckedNetwork['asset']): string[][] {
  return [
    ['treasury', wallet],
    ['tokens', `${decimalText(tokenMinor, asset.decimals)} ${asset.code}`],
    ['for fees', `${decimalText(native.amountMinor, native.decimals)} ${native.asset}`],
  ];
}

function lowWarningsOf({ wallet, tokenMinor, native, marks }: Treasury): string[] {
  const low = [
    ...(tokenMinor < marks.tokenMinor ? ['tokens'] : []),
    ...(native.amountMinor < marks.nativeMinor ? [native.asset] : []),
  ];
  return low.map((what) => `below its low-water mark: send ${what} to ${wallet}`);
}

function setUpCommand(openDesk: OpenDesk): Command {
  return defineCommand({
    name: 'networks set-up',
    words: [NAME],
    summary:
      'List the set-up transactions that the treasury must sign once on a network (trustline, token account, contracts, approval); with --yes, sign them.',
    options: {
      mode: REQUIRED_MODE,
      yes: { about: 'sign the transactions' },
      'new-database': { about: 'create the database, before the first start of the service' },
    },
    run: async (terminal, { words: [words], options }) => {
      const chosen = { name: words.join(' '), mode: options.mode };
      const desk = await openDesk(terminal.config);
      const planned = await desk.plan(chosen);
      showPlan(terminal, planned);
      const answer = { ...chosen, ...planJson(planned), signed: false };
      if (planned.steps.length === 0) return answer;
      if (!options.yes) {
        terminal.print('Nothing was signed. To sign, repeat the command with --yes');
        return answer;
      }
      return terminal.withFoundation(
        async (foundation) => {
          const steps = planned.steps.map(({ what }) => what);
          await recordAction(foundation, 'network.set_up', null, { ...chosen, steps });
          const outcome = await desk.setUp(foundation, chosen, {
            print: terminal.print,
            coins: (amountMinor, native) => coinText(amountMinor, native),
          });
          if (!outcome.ok) throw new CommandError(outcome.error, 'conflict');
          terminal.print('All transactions are final.');
          for (const line of outcome.value.advice) terminal.print(line);
          return { ...answer, signed: true, advice: outcome.value.advice };
        },
        options['new-database'] ? 'made' : 'there',
      );
    },
  });
}

function planJson({ wallet, native, steps, nativeMinor, advice }: PlannedSetUp) {
  const coins = (amountMinor: bigint) => decimal(amountMinor, native.decimals);
  const left = steps.map(({ what, costMinor }) => ({ what, takes_up_to: coins(costMinor) }));
  return { wallet, asset: native.asset, free: coins(nativeMinor), steps: left, advice };
}

function showPlan({ print }: Terminal, { wallet, native, steps, nativeMinor, advice }: PlannedSetUp): void {
  if (steps.length === 0) print(`${wallet} has nothing left to sign.`);
  else print(`${wallet} has ${coinText(nativeMinor, native)} free and must sign:`);
  for (const { what, costMinor } of steps) print(`- ${what} (costs up to ${coinText(costMinor, native)})`);
  for (const line of advice) print(line);
}

function coinText(amountMinor: bigint, { asset, decimals }: PlannedSetUp['native']): string {
  return `${decimalText(amountMinor, decimals)} ${asset}`;
}

function rereadCommand(openDesk: OpenDesk): Command {
  return defineCommand({
    name: 'networks reread',
    words: [NAME],
    summary: 'Read the deposits of an EVM network again, from a given block. No deposit counts twice.',
    options: {
      mode: REQUIRED_MODE,
      from: { value: 'BLOCK', needed: true, about: 'first block to read' },
      skip: { about: 'allow skipping blocks that were never read' },
    },
    run: async (terminal, { words: [words], options: { mode, from, skip } }) => {
      const chosen = { name: words.join(' '), mode };
      if (!/^[0-9]{1,18}$/.test(from))
        throw new UsageError('--from must be a block number, for example 79000000.');
      return terminal.withFoundation(async (foundation) => {
        const given = { from: BigInt(from), skip };
        const outcome = await (await openDesk(terminal.config)).reread(foundation, chosen, given);
        if (!outcome.ok) throw new CommandError(outcome.error, 'conflict');
        terminal.print(`The next block to read was ${outcome.value.before} and is now ${from}.`);
        terminal.print('Restart the service, then check the review queue: bin/sliproad reviews list');
        return { ...chosen, before: String(outcome.value.before), next_block: from };
      });
    },
  });
}

function forgetCommand(openDesk: OpenDesk): Command {
  return defineCommand({
    name: 'networks forget',
    words: [NAME],
    summary:
      'After a change of key, token or factory: show which configuration the database is bound to; with --yes, unbind it, so that the next start binds the new one. In live mode another person must approve.',
    options: { mode: REQUIRED_MODE, yes: { about: 'unbind it' } },
    run: async (terminal, { words: [words], options }) => {
      const chosen = { name: words.join(' '), mode: options.mode };
      const desk = await openDesk(terminal.config);
      return terminal.withFoundation(async (foundation) => {
        const outcome = await desk.binding(foundation, chosen);
        const { network, mode, identity } = outcome;
        const answer = { network, mode, bound_to: identity };
        if (identity === null) {
          terminal.print(
            `${network} (${mode}) is not bound: the next start binds the configuration of that time.`,
          );
          return answer;
        }
        terminal.print(`${network} (${mode}) is bound to: ${identity}`);
        const reasons = findObstacles(outcome);
        if (reasons.length > 0)
          throw new CommandError(['Still bound, because:', ...reasons].join('\n- '), 'conflict', {
            ...answer,
            in_the_way: reasons,
          });
        if (options.yes) {
          const request = { setting: 'network_forgotten', mode, network, identity } as const;
          const { write, json } = await requestSettingChange(terminal, foundation, request);
          if (write !== undefined)
            terminal.print('Unbound. The next start binds the configuration of that time.');
          return json;
        }
        terminal.print(
          'Nothing prevents the unbinding. Stop every process of the service, then repeat the command with --yes.',
        );
        terminal.print(
          'The next start binds the network again, to its configuration at that time. See docs/operate/running-networks.md',
        );
        return answer;
      });
    },
  });
}

function findObstacles({ network, simulated, paused, underWay }: ShownBinding): string[] {
  if (simulated)
    return [
      `${network} was simulated in this database, so its records match no real network: use a new database.`,
    ];
  const open = underWay.map(({ state, count }) => `${count} ${state}`).join(', ');
  return [
    ...(open === ''
      ? []
      : [
          `Movements on ${network} are not finished (${open}). They cannot finish while movements are paused: resume movements and wait.`,
        ]),
    ...(paused ? [] : ['Money movements are not paused: bin/sliproad movements pause']),
  ];
}
