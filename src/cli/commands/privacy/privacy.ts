// Personal data of one customer on the command line: the export of everything, and the erasure of what is over. Both are in the audit
// log, without the data itself.
import { type ErasurePlan, erasePerson, planErasure } from '../../../app/privacy/erase-person.ts';
import { exportPerson } from '../../../app/privacy/export-person.ts';
import { readPerson } from '../../../app/privacy/find-person.ts';
import { makeQuestions } from '../../ask.ts';
import { openExportFile } from '../../client/export-file.ts';
import { type Command, command, MODE, NEEDED_MODE, printTable, type Terminal } from '../../command.ts';
import { CommandError } from '../../terminal/failure.ts';
import { type Json, toJson } from '../../terminal/json.ts';
import { requirePerson } from '../../who.ts';
import { answerOf, showSettingProposal } from '../decision-words.ts';

const BANK = { value: 'CODE', about: 'the bank of the account: the same number exists at several banks' };

const statusCommand = command({
  name: 'privacy status',
  summary: 'Show how many rows had their personal data erased, and how many wait until they are over.',
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

const exportCommand = command({
  name: 'privacy export',
  summary:
    'Write everything that is stored about one customer as JSON: where it is, until when it is kept, and what it says.',
  options: {
    account: { value: 'NUMBER', about: 'of the bank account of the person' },
    bank: BANK,
    name: { value: 'NAME', about: 'of the person; people share names, so give the account as well' },
    mode: MODE,
    output: {
      value: 'FILE',
      about: 'where to write it, readable by you alone; standard output unless given',
    },
  },
  run: (terminal, { options }) =>
    terminal.withFoundation(async (foundation) => {
      if (options.mode !== 'test') requirePerson(foundation);
      const person = answerOf(readPerson(foundation.banks, options));
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
      terminal.print(`${records} records are in ${options.output}. Read it before you hand it over: rows of`);
      terminal.print('one transaction may name other people, such as another payer.');
      return { file: options.output, records };
    }),
});

const eraseCommand = command({
  name: 'privacy erase',
  summary:
    'Erase the personal data of one customer, for good, in everything that is over. In live mode another person approves it.',
  options: {
    account: { value: 'NUMBER', needed: true, about: 'of the bank account of the person' },
    bank: BANK,
    name: { value: 'NAME', about: 'also finds rows without a number that have this name' },
    mode: NEEDED_MODE,
    yes: { flag: true, about: 'do not ask' },
  },
  run: (terminal, { options }) =>
    terminal.withFoundation(async (foundation) => {
      if (options.mode === 'live') requirePerson(foundation);
      const person = answerOf(readPerson(foundation.banks, options));
      const deps = { ...foundation, box: foundation.people.box };
      const plan = answerOf(await planErasure(deps, person, options.mode));
      showPlan(terminal, plan);
      if (plan.subjects.length === 0) return answer(plan, { state: 'done', erased: 0 });
      if (options.yes !== true) await confirm();
      const { outcome, erased } = answerOf(await erasePerson(deps, plan));
      if (outcome?.kind === 'proposed') return showSettingProposal(terminal, outcome.proposal);
      terminal.print(
        `Erased: ${erased} rows. What is open is erased when it is over, without another request.`,
      );
      return answer(plan, { state: 'done', erased });
    }),
});

export const privacyCommands: readonly Command[] = [statusCommand, exportCommand, eraseCommand];

async function confirm(): Promise<void> {
  const said = await makeQuestions().ask('This cannot be undone. To erase it, write "erase": ');
  if (said.trim() !== 'erase') throw new CommandError('Nothing was erased.', 'interrupted');
}

const WHY_IT_STAYS: Readonly<Record<string, string>> = {
  travel_rule_records: 'the law asks for them: sealed, see docs/travel-rule.md',
  audit_log: 'it proves who did what, and each entry commits to the one before it',
  proposals: 'what two people decided about money',
};

function showPlan(
  terminal: Terminal,
  { person, mode, erasable, open, erasedBefore, stays }: ErasurePlan,
): void {
  terminal.print(`${person} in ${mode} mode`);
  const rows = [
    ...Object.entries(erasable).map(([place, count]) => [place, String(count), 'is erased']),
    ...open.map((subject) => [
      subject,
      '',
      'is not over, or ended within the hour: is erased when it is over',
    ]),
    ...Object.entries(stays).map(([place, count]) => [place, String(count), `stays: ${WHY_IT_STAYS[place]}`]),
  ];
  if (rows.length > 0) printTable(terminal, [['WHERE', 'ROWS', 'WHAT'], ...rows]);
  if (erasedBefore > 0) terminal.print(`${erasedBefore} rows were erased before.`);
  if (rows.length === 0 && erasedBefore === 0) terminal.print('Nothing is stored about this account.');
  terminal.print('Backups are not erased: docs/privacy.md says what to do with them.');
}

function answer({ person, mode, erasable, open, erasedBefore, stays }: ErasurePlan, done: object): Json {
  const facts = { person, mode, erasable, open, erased_before: erasedBefore, stays };
  return { ...facts, ...done } as unknown as Json;
}
