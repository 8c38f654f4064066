// The public holidays that reconciliation uses: the list of one year, and a form to add or change a day.
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { del, put } from '../../../api/calls.ts';
import type { PublicHoliday } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { useRead } from '../../../api/reads.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { FormDialog } from '../../../components/dialogs.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { Day as DayText, State } from '../../../components/values.tsx';
import styles from '../operator.module.css';
import { useMay } from '../rules.tsx';

const PATH = '/operator/holidays';

export function Holidays({ today }: { readonly today: string }) {
  const { data, error, refetch } = useRead(PATH);
  const [year, setYear] = useState(today.slice(0, 4));
  const [changed, change] = useState<PublicHoliday | null>(null);
  const may = useMay('reconcile');
  const years = new Set([...(data?.holidays ?? []).map(({ day }) => day.slice(0, 4)), year]);
  return (
    <Section
      title="Public holidays"
      lead="Banks book nothing on these days, so reconciliation waits for the next working day. The government declares some days shortly before: add them here."
      actions={
        may && (
          <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => change(NO_HOLIDAY)}>
            Add holiday
          </Button>
        )
      }
      bare
    >
      <div className={styles.toolbar}>
        <NativeSelect
          label="Year"
          value={year}
          onChange={(event) => setYear(event.currentTarget.value)}
          data={[...years].sort()}
        />
      </div>
      <DataTable
        caption={`Public holidays in ${year}`}
        columns={may ? [...COLUMNS, actionColumn(change)] : COLUMNS}
        rows={data?.holidays.filter(({ day }) => day.startsWith(year))}
        rowKey={({ day }) => day}
        error={error}
        retry={() => void refetch()}
        empty={
          <Empty icon="ledger" title={`No public holidays in ${year}`}>
            Every day from Monday to Friday counts as a working day.
          </Empty>
        }
      />
      {changed !== null && <HolidayDialog holiday={changed} onClose={() => change(null)} />}
    </Section>
  );
}

const NO_HOLIDAY: PublicHoliday = { day: '', name: '', provisional: false, set_by: '' };

const COLUMNS: readonly Column<PublicHoliday>[] = [
  { title: 'Day', cell: ({ day }) => <DayText day={day} /> },
  { title: 'Holiday', cell: ({ name }) => name },
  {
    title: 'State',
    cell: ({ provisional }) => (
      <State
        state={provisional ? 'provisional' : 'certain'}
        tone={provisional ? 'waiting' : 'completed'}
        label={provisional ? 'Provisional' : 'Certain'}
      />
    ),
  },
];

function actionColumn(change: (holiday: PublicHoliday) => void): Column<PublicHoliday> {
  return {
    ...{ title: 'Actions' },
    cell: (holiday) => (
      <span className="row">
        <Button size="compact-xs" variant="default" onClick={() => change(holiday)}>
          Change<span className="only-screen-reader"> {holiday.name}</span>
        </Button>
        <RemoveButton holiday={holiday} />
      </span>
    ),
  };
}

function RemoveButton({ holiday: { day, name } }: { readonly holiday: PublicHoliday }) {
  const remove = useAction(() => del('/operator/holidays/{day}', { params: { day } }), {
    refreshes: [PATH],
    done: `${name} on ${day} was removed.`,
  });
  return (
    <Button size="compact-xs" variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
      Remove<span className="only-screen-reader"> {name}</span>
    </Button>
  );
}

interface DialogProps {
  readonly holiday: PublicHoliday;
  readonly onClose: () => void;
}

function HolidayDialog({ holiday, onClose }: DialogProps) {
  const isNew = holiday.day === '';
  const { day, name, provisional } = holiday;
  const form = useForm({ initialValues: { day, name, provisional } });
  const given = form.values;
  return (
    <FormDialog
      onClose={onClose}
      title={isNew ? 'Add holiday' : 'Change holiday'}
      form={form}
      disabled={given.day === '' || given.name.trim() === ''}
      run={() =>
        put('/operator/holidays/{day}', {
          params: { day: given.day },
          body: { name: given.name, provisional: given.provisional },
        })
      }
      refreshes={[PATH]}
      done="The next reconciliation uses it."
    >
      <TextInput {...form.getInputProps('day')} type="date" label="Day" disabled={!isNew} required />
      <TextInput {...form.getInputProps('name')} label="Holiday" maxLength={60} required />
      <Checkbox
        {...form.getInputProps('provisional', { type: 'checkbox' })}
        label="Provisional: the day is not certain yet"
      />
    </FormDialog>
  );
}
