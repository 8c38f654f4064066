// Prepares the configured networks: shows what is wrong or missing, signs the set-up transactions, and unbinds a database
// from an old key or token. Without --yes nothing is signed or forgotten.
import { recordAction } from '../../app/audit/record-action.ts';
import type { Config } from '../../config.ts';
import type { Treasury } from '../../ports/network/watches.ts';
import type { CheckedNetwork, NetworksDesk, PlannedSetUp } from '../../wire.ts';
import {
  ANY_WORDS,
  type Command,
  CommandError,
  modeOption,
  readOptions,
  required,
  type Terminal,
  table,
} from '../command.ts';
import { decimalText } from '../ledger-tables.ts';
import { change } from './setting-words.ts';

type OpenDesk = (config: Config) => NetworksDesk;
type Binding = Awaited<ReturnType<NetworksDesk['binding']>>;

export function networkCommands(openDesk: OpenDesk): Command[] {
  return [checkCommand(openDesk), setUpCommand(openDesk), rereadCommand(openDesk), forgetCommand(openDesk)];
}

function checkCommand(openDesk: OpenDesk): Command {
  return {
    name: 'networks check',
    usage: '[--mode live|test] [NAME]',
    summary:
      'Check the configured networks as the service does at its start: chain, token, treasury, providers. Signs nothing.',
    run: async (terminal, args) => {
      const { options, rest } = readOptions(args, { mode: 'text' }, ANY_WORDS);
      const checked = await openDesk(terminal.config).check({
        ...(options.mode !== undefined && { mode: modeOption(options.mode) }),
        ...(rest.length > 0 && { name: rest.join(' ') }),
      });
      const wrong = checked.filter((each) => !show(terminal, each));
      if (wrong.length === 0) return;
      throw new CommandError(
        `Not ready: ${wrong.map(({ mode, name }) => `${name} (${mode})`).join(', ')}. See docs/adding-a-network.md`,
      );
    },
  };
}

/** Prints what was found; true when the network is ready. */
function show({ print }: Terminal, checked: CheckedNetwork): boolean {
  const { mode, name, treasury, asset, problem, startsDisabled, notes, providers } = checked;
  const troubles = [...(problem === null ? [] : [problem]), ...(treasury === null ? [] : lowOf(treasury))];
  const isWell = troubles.length === 0 && providers.every((each) => each.problem === null);
  print(`${name} (${mode}): ${isWell ? 'ok' : 'not ready'}`);
  const rows = [
    ...(treasury === null ? [] : walletRows(treasury, asset)),
    ...providers.map((each) => ['provider', `${each.name}: ${each.problem ?? 'ok'}`]),
    ...troubles.map((each) => ['wrong', each]),
    ...(startsDisabled
      ? [['note', 'the service starts without it, and tries it again until it answers']]
      : []),
    ...notes.map((each) => ['note', each]),
  ];
  if (rows.length > 0) print(table(rows.map(([head, text]) => [`  ${head}`, text!])));
  return isWell;
}

function walletRows({ wallet, tokenMinor, native }: Treasury, asset: CheckedNetwork['asset']): string[][] {
  return [
    ['treasury', wallet],
    ['tokens', `${decimalText(tokenMinor, asset.decimals)} ${asset.code}`],
    ['for fees', `${decimalText(native.amountMinor, native.decimals)} ${native.asset}`],
  ];
}

function lowOf({ wallet, tokenMinor, native, marks }: Treasury): string[] {
  const low = [
    ...(tokenMinor < marks.tokenMinor ? ['tokens'] : []),
    ...(native.amountMinor < marks.nativeMinor ? [native.asset] : []),
  ];
  return low.map((what) => `below its low-water mark: send ${what} to ${wallet}`);
}

function setUpCommand(openDesk: OpenDesk): Command {
  return {
    name: 'networks set-up',
    usage: 'NAME --mode live|test [--yes] [--new-database]',
    summary:
      'Show what the treasury has to sign once on a network (trustline, token account, contracts, approval); with --yes, sign it. ' +
      'Before the first start of the service, --new-database creates its database.',
    run: async (terminal, args) => {
      const { options, rest } = readOptions(
        args,
        { mode: 'text', yes: 'flag', 'new-database': 'flag' },
        ANY_WORDS,
      );
      const chosen = chosenBy(rest, options.mode);
      const desk = openDesk(terminal.config);
      const planned = await desk.plan(chosen);
      showPlan(terminal, planned);
      if (planned.steps.length === 0) return;
      if (options.yes === undefined)
        return terminal.print('Nothing was signed. To sign it: the same command with --yes');
      await terminal.withFoundation(
        async (foundation) => {
          const steps = planned.steps.map(({ what }) => what);
          await recordAction(foundation, 'network.set_up', null, { ...chosen, steps });
          const outcome = await desk.setUp(foundation, chosen, {
            print: terminal.print,
            coins: (amountMinor, native) => coinsOf(amountMinor, native),
          });
          if (!outcome.ok) throw new CommandError(outcome.error);
          terminal.print('All of it is final.');
          for (const line of outcome.value.advice) terminal.print(line);
        },
        options['new-database'] === undefined ? 'there' : 'made',
      );
    },
  };
}

function chosenBy(rest: readonly string[], mode: string | undefined) {
  return { name: required(rest.join(' '), 'NAME'), mode: modeOption(mode) };
}

function showPlan({ print }: Terminal, { wallet, native, steps, nativeMinor, advice }: PlannedSetUp): void {
  if (steps.length === 0) print(`Nothing is left for ${wallet} to sign.`);
  else print(`${wallet} has ${coinsOf(nativeMinor, native)} free, and has to sign:`);
  for (const { what, costMinor } of steps) print(`- ${what} (takes up to ${coinsOf(costMinor, native)})`);
  for (const line of advice) print(line);
}

function coinsOf(amountMinor: bigint, { asset, decimals }: PlannedSetUp['native']): string {
  return `${decimalText(amountMinor, decimals)} ${asset}`;
}

function rereadCommand(openDesk: OpenDesk): Command {
  return {
    name: 'networks reread',
    usage: 'NAME --mode live|test --from BLOCK [--skip]',
    summary:
      'Read the deposits of an EVM network again from a block on. With --skip the block may lie beyond blocks that were never read. No deposit counts twice.',
    run: async (terminal, args) => {
      const { options, rest } = readOptions(args, { mode: 'text', from: 'text', skip: 'flag' }, ANY_WORDS);
      const chosen = chosenBy(rest, options.mode);
      const text = required(options.from, '--from');
      if (!/^[0-9]{1,18}$/.test(text))
        throw new CommandError('--from must be a block number, for example 79000000.');
      const given = { from: BigInt(text), skip: options.skip !== undefined };
      await terminal.withFoundation(async (foundation) => {
        const outcome = await openDesk(terminal.config).reread(foundation, chosen, given);
        if (!outcome.ok) throw new CommandError(outcome.error);
        terminal.print(`The next block to read was ${outcome.value.before}, and is ${text} now.`);
        terminal.print('Restart the service, then look at the review queue: bin/sliproad reviews list');
      });
    },
  };
}

function forgetCommand(openDesk: OpenDesk): Command {
  return {
    name: 'networks forget',
    usage: 'NAME --mode live|test [--yes]',
    summary:
      'After a change of key, token or factory: show what the database is bound to; with --yes, forget it (in live mode after the approval of another person), so that the next start binds the new configuration.',
    run: async (terminal, args) => {
      const { options, rest } = readOptions(args, { mode: 'text', yes: 'flag' }, ANY_WORDS);
      const chosen = chosenBy(rest, options.mode);
      const desk = openDesk(terminal.config);
      await terminal.withFoundation(async (foundation) => {
        const outcome = await desk.binding(foundation, chosen);
        const { network, mode, identity } = outcome;
        if (identity === null)
          return terminal.print(
            `${network} (${mode}) is not bound: the next start binds what is configured then.`,
          );
        terminal.print(`${network} (${mode}) is bound to: ${identity}`);
        const reasons = inTheWay(outcome);
        if (reasons.length > 0) throw new CommandError(['Not forgotten.', ...reasons].join('\n- '));
        if (options.yes !== undefined) {
          const request = { setting: 'network_forgotten', mode, network, identity } as const;
          const done = await change(terminal, foundation, request);
          if (done !== undefined)
            terminal.print('It is forgotten. The next start binds what is configured then.');
          return;
        }
        terminal.print(
          'Nothing is in the way. Stop every process of the service, then the same command with --yes forgets it,',
        );
        terminal.print('and the next start binds what is configured then. See docs/operating.md');
      });
    },
  };
}

function inTheWay({ network, simulated, paused, underWay }: Binding): string[] {
  if (simulated)
    return [
      `${network} was simulated in this database. Its records fit no real network: use a new database.`,
    ];
  const open = underWay.map(({ state, count }) => `${count} ${state}`).join(', ');
  return [
    ...(open === ''
      ? []
      : [
          `Movements on ${network} are not finished (${open}). While movements are paused, none of them is finished: resume them and wait.`,
        ]),
    ...(paused ? [] : ['Money movements are not paused: bin/sliproad movements pause']),
  ];
}
