// Exports the personal data of one customer, and erases it in finished records. The audit log records both actions without the
// personal data.
import { erasePerson, planErasure } from '../../app/privacy/erase-person.ts';
import { exportPerson } from '../../app/privacy/export-person.ts';
import { parsePersonQuery } from '../../app/privacy/find-person.ts';
import { renderErasurePlan, renderErasureRequest } from '../../renderings/privacy.ts';
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
  summary: 'Show how many rows are erased and how many wait, and the requests that wait until a day.',
  run: (terminal) =>
    terminal.withFoundation(async ({ privacy }) => {
      const progress = await privacy.progress();
      const requests = (await privacy.openRequests()).map(renderErasureRequest);
      const byLawDays = terminal.config.legalRetentionMs / 86_400_000;
      const days = (terminal.config.personalDataKeepMs ?? 0) / 86_400_000;
      terminal.print(
        days === 0
          ? 'PERSONAL_DATA_DAYS is not set: personal data is kept.'
          : `PERSONAL_DATA_DAYS is ${days}.`,
      );
      terminal.print(`Live records are kept for ${byLawDays} days, because the law requires them.`);
      const rows = progress.map(({ place, erased, waiting }) => [place, String(erased), String(waiting)]);
      if (rows.length > 0) printTable(terminal, [['PLACE', 'ERASED BY AGE', 'WAITING'], ...rows]);
      const waiting = requests.map(({ person, mode, at, waiting: count, kept_until: until }) => [
        ...[person ?? 'not stored', mode, at.slice(0, 10), String(count)],
        until?.slice(0, 10) ?? 'when they end',
      ]);
      if (waiting.length > 0)
        printTable(terminal, [['PERSON', 'MODE', 'REQUESTED', 'RECORDS', 'ERASED ON'], ...waiting]);
      return {
        ...{ personal_data_days: days, legal_retention_days: byLawDays, places: toJson(progress) },
        requests: requests as unknown as Json,
      };
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
      const {
        personalDataKeepMs: keepMs,
        requestLogKeepMs: requestsKeepMs,
        legalRetentionMs: byLawMs,
      } = terminal.config;
      const deps = { ...foundation, box: foundation.people.box, keepMs, requestsKeepMs, byLawMs };
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
    'Permanently erase the personal data of one customer. In live mode another person must approve, and records that the law requires are erased later.',
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
      const byLawMs = terminal.config.legalRetentionMs;
      const deps = { ...foundation, box: foundation.people.box, byLawMs };
      const plan = valueOrThrow(await planErasure(deps, person, options.mode));
      const shown = renderErasurePlan(plan);
      showPlan(terminal, shown);
      const answer = (erased: number | null) => ({ ...shown, state: 'done', erased }) as unknown as Json;
      if (plan.subjects.length === 0) return answer(0);
      if (options.yes !== true) await askToConfirm();
      const { outcome, erased } = valueOrThrow(await erasePerson(deps, plan));
      if (outcome?.kind === 'proposed') return showSettingProposal(terminal, outcome.proposal);
      terminal.print(
        `Erased: ${erased} rows. The other records are erased when they may be, without another request.`,
      );
      return answer(erased);
    }),
});

export const privacyCommands: readonly Command[] = [statusCommand, exportCommand, eraseCommand];

async function askToConfirm(): Promise<void> {
  const said = await makeQuestions().ask('This cannot be undone. Type "erase" to confirm: ');
  if (said.trim() !== 'erase') throw new CommandError('Nothing was erased.', 'interrupted');
}

function showPlan(terminal: Terminal, plan: ReturnType<typeof renderErasurePlan>): void {
  const { person, mode, erasable, kept, open, erased_before: erasedBefore, stays } = plan;
  terminal.print(`${person} in ${mode} mode`);
  const rows = [
    ...erasable.map(({ place, rows: count }) => [place, String(count), 'will be erased']),
    ...kept.map(({ place, rows: count, until }) => [
      ...[place, String(count)],
      `kept, because the law requires it: will be erased by ${until.slice(0, 10)}`,
    ]),
    ...open.map((subject) => [
      subject,
      '',
      'unfinished, or finished within the last hour: will be erased later',
    ]),
    ...stays.map(({ place, rows: count, why }) => [place, String(count), `stays: ${why}`]),
  ];
  if (rows.length > 0) printTable(terminal, [['TABLE', 'ROWS', 'ERASURE'], ...rows]);
  if (plan.kept_until !== null)
    terminal.print(
      `The request is stored, and carried out completely on ${plan.kept_until.slice(0, 10)} without another request.`,
    );
  if (erasedBefore > 0) terminal.print(`${erasedBefore} rows were erased before.`);
  if (rows.length === 0 && erasedBefore === 0) terminal.print('Nothing is stored about this account.');
  terminal.print('Backups still contain the data: see docs/operate/privacy.md.');
}
