// Personal data of one customer on the command line: its export, and its erasure in finished records. The audit log records both,
// without the data itself.
import { type ErasurePlan, erasePerson, planErasure } from '../../app/privacy/erase-person.ts';
import { exportPerson } from '../../app/privacy/export-person.ts';
import { parsePersonQuery } from '../../app/privacy/find-person.ts';
import { openExportFile } from '../client/export-file.ts';
import { type Command, defineCommand, MODE, printTable, REQUIRED_MODE, type Terminal } from '../command.ts';
import { makeQuestions } from '../questions.ts';
import { CommandError } from '../terminal/command-error.ts';
import { type Json, toJson } from '../terminal/json.ts';
import { requirePerson } from '../terminal-user.ts';
import { showSettingProposal, valueOrThrow } from './decision-words.ts';

const BANK = { value: 'CODE', about: 'bank of the account: several banks may use the same number' };

const statusCommand = defineCommand({
  name: 'privacy status',
  summary:
    'Show in how many rows the personal data is erased, and how many rows wait because they are unfinished.',
  run: (terminal) =>
    terminal.withFoundation(async ({ privacy }) => {
      const progress = await privacy.progress();
      const days = (terminal.config.personalDataKeepMs ?? 0) / 86_400_000;
      terminal.print(
        days === 0
          ? 'PERSONAL_DATA_DAYS is not set: personal data is kept.'
          : `PERSONAL_DATA_DAYS is ${days}.`,
      );
      const rows = progress.map(({ place, erased, waiting }) => [place, String(erased), String(waiting)]);
      if (rows.length > 0) printTable(terminal, [['PLACE', 'ERASED BY AGE', 'WAITING'], ...rows]);
      return { personal_data_days: days, places: toJson(progress) };
    }),
});

const exportCommand = defineCommand({
  name: 'privacy export',
  summary: 'Export all stored data about one customer as JSON: its location, its retention and its content.',
  options: {
    account: { value: 'NUMBER', about: "number of the person's bank account" },
    bank: BANK,
    name: { value: 'NAME', about: 'name of the person; people share names, so add the account' },
    mode: MODE,
    output: {
      value: 'FILE',
      about: 'output file, readable only by you (default: standard output)',
    },
  },
  run: (terminal, { options }) =>
    terminal.withFoundation(async (foundation) => {
      if (options.mode !== 'test') requirePerson(foundation);
      const person = valueOrThrow(parsePersonQuery(foundation.banks, options));
      const { personalDataKeepMs: keepMs, requestLogKeepMs: requestsKeepMs } = terminal.config;
      const deps = { ...foundation, box: foundation.people.box, keepMs, requestsKeepMs };
      const exported = await exportPerson(deps, person, options.mode ?? null);
      const document = toJson(exported);
      const records = exported.rows.length + exported.travelRule.length;
      if (options.output === undefined) {
        terminal.print(JSON.stringify(document, null, 2));
        return document;
      }
      const out = await openExportFile(options.output);
      await out.write(JSON.stringify(document, null, 2));
      await out.keep();
      terminal.print(
        `Wrote ${records} records to ${options.output}. Read the file before you hand it over: rows of`,
      );
      terminal.print('one transaction may name other people, such as another payer.');
      return { file: options.output, records };
    }),
});

const eraseCommand = defineCommand({
  name: 'privacy erase',
  summary:
    'Permanently erase the personal data of one customer in all finished records. In live mode another person must approve.',
  options: {
    account: { value: 'NUMBER', needed: true, about: "number of the person's bank account" },
    bank: BANK,
    name: { value: 'NAME', about: 'also find rows that have this name and no account number' },
    mode: REQUIRED_MODE,
    yes: { flag: true, about: 'skip the confirmation' },
  },
  run: (terminal, { options }) =>
    terminal.withFoundation(async (foundation) => {
      if (options.mode === 'live') requirePerson(foundation);
      const person = valueOrThrow(parsePersonQuery(foundation.banks, options));
      const deps = { ...foundation, box: foundation.people.box };
      const plan = valueOrThrow(await planErasure(deps, person, options.mode));
      showPlan(terminal, plan);
      if (plan.subjects.length === 0) return erasureAnswer(plan, { state: 'done', erased: 0 });
      if (options.yes !== true) await askToConfirm();
      const { outcome, erased } = valueOrThrow(await erasePerson(deps, plan));
      if (outcome?.kind === 'proposed') return showSettingProposal(terminal, outcome.proposal);
      terminal.print(
        `Erased: ${erased} rows. Unfinished records are erased when they finish, without another request.`,
      );
      return erasureAnswer(plan, { state: 'done', erased });
    }),
});

export const privacyCommands: readonly Command[] = [statusCommand, exportCommand, eraseCommand];

async function askToConfirm(): Promise<void> {
  const said = await makeQuestions().ask('This cannot be undone. Type "erase" to confirm: ');
  if (said.trim() !== 'erase') throw new CommandError('Nothing was erased.', 'interrupted');
}

const WHY_IT_STAYS: Readonly<Record<string, string>> = {
  travel_rule_records: 'required by law; sealed, see docs/operate/travel-rule.md',
  audit_log: 'it proves who did what, and its hashes cover every entry',
  proposals: 'they record what two people decided about money',
};

function showPlan(
  terminal: Terminal,
  { person, mode, erasable, open, erasedBefore, stays }: ErasurePlan,
): void {
  terminal.print(`${person} in ${mode} mode`);
  const rows = [
    ...Object.entries(erasable).map(([place, count]) => [place, String(count), 'will be erased']),
    ...open.map((subject) => [
      subject,
      '',
      'unfinished, or finished within the last hour: will be erased later',
    ]),
    ...Object.entries(stays).map(([place, count]) => [place, String(count), `stays: ${WHY_IT_STAYS[place]}`]),
  ];
  if (rows.length > 0) printTable(terminal, [['TABLE', 'ROWS', 'ERASURE'], ...rows]);
  if (erasedBefore > 0) terminal.print(`${erasedBefore} rows were erased before.`);
  if (rows.length === 0 && erasedBefore === 0) terminal.print('Nothing is stored about this account.');
  terminal.print('Backups still contain the data: see docs/operate/privacy.md.');
}

function erasureAnswer(
  { person, mode, erasable, open, erasedBefore, stays }: ErasurePlan,
  done: object,
): Json {
  const facts = { person, mode, erasable, open, erased_before: erasedBefore, stays };
  return { ...facts, ...done } as unknown as Json;
}
