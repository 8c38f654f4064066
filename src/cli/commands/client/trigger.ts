// `trigger`: plays a scenario of the sandbox with one command, and shows the events of its transaction until the scenario ends.
import type { SliproadEvent, Transaction } from '../../../../sdk/src/index.ts';
import { SCENARIOS, type Scenario } from '../../../ports/sandbox.ts';
import { withService } from '../../client/client-command.ts';
import { PAID_ENDING, SCENARIO_WORDS, type ScenarioEnding } from '../../client/scenarios.ts';
import { type ConnectedService, SERVICE_OPTIONS } from '../../client/service.ts';
import { nairaText } from '../../client/show.ts';
import { ENDED_STATES, watchTransaction } from '../../client/watch.ts';
import {
  type CommandAnswer,
  defineCommand,
  durationOption,
  printTable,
  STREAMED_ANSWER,
  type Terminal,
} from '../../command.ts';
import { CommandError, UsageError } from '../../terminal/command-error.ts';
import { pickVendor, requestFieldsOf } from './create.ts';

/** The sandbox takes a step every 300 ms. A transaction without a change for this time has therefore ended. */
const QUIET_MS = 10_000;
const DEFAULT_AMOUNT = '15000';
const DEFAULT_TIMEOUT = '60s';
const NO_FIELDS = { account: undefined, bank: undefined, 'account-name': undefined, wallet: undefined };

export const triggerCommand = defineCommand({
  name: 'trigger',
  words: ['[SCENARIO]'],
  summary:
    'Test mode: play a scenario of the sandbox and show what happens. trigger --list shows the scenarios.',
  options: {
    list: { about: 'list the scenarios and how they end' },
    type: { choices: ['buy', 'sell'], about: 'buy or sell (default: the one that the scenario affects)' },
    amount: { value: 'AMOUNT', about: `amount in naira (default: ${DEFAULT_AMOUNT})` },
    network: { value: 'NAME', about: 'network (default: Polygon; for no_trustline: Stellar)' },
    timeout: { value: 'DURATION', about: `give up after this time (default: ${DEFAULT_TIMEOUT})` },
    ...SERVICE_OPTIONS,
  },
  run: async (terminal, { words: [name], options }) => {
    if (options.list) return listScenarios(terminal);
    const scenario = SCENARIOS.find((each) => each === name);
    if (scenario === undefined) {
      if (name === undefined) throw new UsageError('SCENARIO is missing. See: bin/sliproad trigger --list');
      throw new UsageError(`There is no scenario of that name. Known: ${SCENARIOS.join(', ')}.`);
    }
    const timeoutMs = durationOption(options.timeout ?? DEFAULT_TIMEOUT, '--timeout');
    return withService(terminal, options, (service) =>
      playScenario(terminal, service, scenario, { ...options, timeoutMs }),
    );
  },
});

interface TriggerChoices {
  readonly type: 'buy' | 'sell' | undefined;
  readonly amount: string | undefined;
  readonly network: string | undefined;
  readonly timeoutMs: number;
}

async function playScenario(
  terminal: Terminal,
  service: ConnectedService,
  scenario: Scenario,
  choices: TriggerChoices,
): Promise<CommandAnswer> {
  const { client, mode } = service;
  if (mode === 'live')
    throw new CommandError(
      'Scenarios are for test mode: use a key that begins with sk_test_.',
      'not_allowed',
    );
  const words = SCENARIO_WORDS[scenario];
  const type = choices.type ?? (words.buy === undefined ? 'sell' : 'buy');
  const network = choices.network ?? (scenario === 'no_trustline' ? 'Stellar' : undefined);
  const given = { ...NO_FIELDS, network, reference: undefined };
  const fields = requestFieldsOf(service, choices.amount ?? DEFAULT_AMOUNT, given);
  const { transaction_id: id, amount } =
    type === 'sell'
      ? await client.sell(fields, { scenario })
      : await client.buy({ ...fields, vendor: pickVendor(await client.vendors(), undefined) }, { scenario });
  terminal.print(`${words.about}\nA ${type} of ${nairaText(amount)}: ${id}\n`);
  const expected = words[type] ?? PAID_ENDING;
  const isEnough = makeIsEnough(expected);
  const { timeoutMs } = choices;
  const seen = await watchTransaction(terminal, { client, id, isEnough, timeoutMs, quietMs: QUIET_MS });
  return concludeScenario(terminal, scenario, seen.transaction, seen.enough, expected);
}

function concludeScenario(
  terminal: Terminal,
  scenario: Scenario,
  { transaction_id: id, type, state, exception, refunded_amount }: Transaction,
  enough: boolean,
  expected: ScenarioEnding,
): CommandAnswer {
  const as_expected = state === expected.state && exception === (expected.exception ?? null);
  const answer = { scenario, transaction_id: id, type, state, exception, refunded_amount, as_expected };
  if (!enough && !terminal.interrupted.aborted)
    throw new CommandError(
      `The scenario has not ended: ${id} is ${state}. Follow it: bin/sliproad status ${id} --watch`,
      'failed',
      answer,
    );
  terminal.emit(answer);
  const exceptionText = exception === null ? '' : `, ${exception}`;
  const refunded = refunded_amount === 0 ? '' : `, ${nairaText(refunded_amount)} refunded`;
  terminal.print(`\nEnded as ${state}${exceptionText}${refunded}.`);
  if (!as_expected)
    terminal.print(
      `With the default policies it ends as ${expected.state}. The operator may have changed the policies.`,
    );
  return STREAMED_ANSWER;
}

function makeIsEnough({ state: wanted, event: belonging }: ScenarioEnding) {
  let happened = belonging === undefined;
  return ({ state }: Transaction, { type }: SliproadEvent, quiet: boolean): boolean => {
    happened ||= type === belonging;
    if (state === wanted && happened) return true;
    return quiet && (ENDED_STATES.includes(state) || state === 'on_hold');
  };
}

function listScenarios(terminal: Terminal): CommandAnswer {
  const textOf = (ending: ScenarioEnding | undefined) =>
    ending === undefined ? 'as paid' : [ending.state, ending.exception].filter(Boolean).join(', ');
  const rows = SCENARIOS.map((name) => {
    const { about, buy, sell } = SCENARIO_WORDS[name];
    return [name, textOf(buy), textOf(sell), about];
  });
  printTable(terminal, [['SCENARIO', 'BUY ENDS AS', 'SELL ENDS AS', 'STORY'], ...rows]);
  return SCENARIOS.map((name) => {
    const { about, buy = PAID_ENDING, sell = PAID_ENDING } = SCENARIO_WORDS[name];
    return { scenario: name, about, buy: { ...buy }, sell: { ...sell } };
  });
}
