// `reconcile holidays`: the public holidays on which banks book nothing. One person may change them.
import { removeHoliday, setHoliday } from '../../../app/reconciliation/edit-holidays.ts';
import { renderHoliday } from '../../../renderings/holidays.ts';
import { type Command, defineCommand, printTable } from '../../command.ts';
import { valueOrThrow } from '../decision-words.ts';

const DAY = { value: 'DAY', needed: true, about: 'day in Lagos time, for example 2026-12-25' } as const;

const listCommand = defineCommand({
  name: 'reconcile holidays',
  summary: 'List the public holidays: on these days reconciliation expects no bank bookings.',
  options: {},
  run: (terminal) =>
    terminal.withFoundation(async ({ holidays }) => {
      const all = await holidays.list();
      if (all.length === 0) terminal.print('No public holiday is listed.');
      else
        printTable(terminal, [
          ['DAY', 'NAME', 'STATE', 'SET BY'],
          ...all.map(({ day, name, provisional, setBy }) => [
            ...[day, name, provisional ? 'provisional' : 'certain', setBy],
          ]),
        ]);
      return { holidays: all.map(renderHoliday) };
    }),
});

const setCommand = defineCommand({
  name: 'reconcile holidays set',
  summary: 'Add or change a public holiday.',
  options: {
    day: DAY,
    name: { value: 'TEXT', needed: true, about: 'name of the holiday' },
    provisional: { about: 'the day is not certain yet' },
  },
  run: (terminal, { options: { day, name, provisional = false } }) =>
    terminal.withFoundation(async (foundation) => {
      const given = { day, name, provisional };
      const set = valueOrThrow(await setHoliday(foundation, given, foundation.actor));
      terminal.print(`${set.day} is a public holiday: ${set.name}${provisional ? ' (provisional)' : ''}.`);
      return { holiday: renderHoliday(set) };
    }),
});

const removeCommand = defineCommand({
  name: 'reconcile holidays remove',
  summary: 'Remove a public holiday.',
  options: { day: DAY },
  run: (terminal, { options: { day } }) =>
    terminal.withFoundation(async (foundation) => {
      const removed = valueOrThrow(await removeHoliday(foundation, day, foundation.actor));
      terminal.print(`${day} is no public holiday any more.`);
      return removed;
    }),
});

export const holidayCommands: readonly Command[] = [listCommand, setCommand, removeCommand];
