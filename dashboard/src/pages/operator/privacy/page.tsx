// Personal data of one customer: find it, see what an erasure does and until when the law keeps records, export it or erase it.
// Below are the requests that still wait.
import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { ErasureRequest } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Empty, Failure, Page, Section } from '../../../components/page.tsx';
import { Ago, Day } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { useMay } from '../rules.tsx';
import { exportPerson, type Person, usePlan, useRequests } from './data.ts';
import { EraseDialog } from './dialogs.tsx';
import { Plan } from './plan.tsx';

const EMPTY_FORM: Person = { account: '', bank: '', name: '' };

export default function PrivacyPage() {
  const { mode } = useOperatorLocation();
  return (
    <Page
      title="Privacy"
      lead="The data of one customer: see where it is, export it, erase it. Every search is recorded in the audit log."
    >
      <Customer key={mode} />
      <Requests />
    </Page>
  );
}

function Customer() {
  const { mode } = useOperatorLocation();
  const [found, find] = useState<Person | null>(null);
  const [erasing, setErasing] = useState(false);
  const plan = usePlan(mode);
  const search = (person: Person) => {
    find(person);
    plan.mutate(person);
  };
  return (
    <>
      <Section title="Find a customer">
        <SearchForm onSearch={search} isSearching={plan.isPending} />
      </Section>
      {plan.error !== null && found !== null && (
        <Section>
          <Failure error={plan.error} retry={() => plan.mutate(found)} />
        </Section>
      )}
      {plan.data !== undefined && <Plan plan={plan.data.plan} onErase={() => setErasing(true)} />}
      {erasing && found !== null && plan.data !== undefined && (
        <EraseDialog
          person={found}
          plan={plan.data.plan}
          onClose={() => setErasing(false)}
          onErased={() => plan.mutate(found)}
        />
      )}
    </>
  );
}

interface SearchProps {
  readonly onSearch: (person: Person) => void;
  readonly isSearching: boolean;
}

/** A person who may not erase data may still export it. */
function SearchForm({ onSearch, isSearching }: SearchProps) {
  const { mode } = useOperatorLocation();
  const form = useForm({ initialValues: EMPTY_FORM });
  const mayErase = useMay('propose');
  const mayExport = useMay('audit');
  const saving = useAction(() => exportPerson(mode, form.values), {
    done: 'The file is saved.',
    quiet: true,
  });
  const field = (name: keyof Person) => ({ ...form.getInputProps(name), maxLength: 140 });
  return (
    <form
      className="column flush"
      onSubmit={(event) => {
        event.preventDefault();
        if (mayErase) onSearch(form.values);
        else if (mayExport) saving.mutate();
      }}
    >
      <TextInput
        {...field('account')}
        label="Account number"
        description="Ten digits: the bank account that the customer pays from or is paid to."
        inputMode="numeric"
        maxLength={20}
        required
      />
      <TextInput {...field('bank')} label="Bank" description="Several banks may use the same number." />
      <TextInput
        {...field('name')}
        label="Name"
        description="Also finds texts without an account number. Other people may have the same name."
      />
      <div className="row">
        {mayErase && (
          <Button type="submit" loading={isSearching}>
            Show plan
          </Button>
        )}
        {mayExport && (
          <Button
            type={mayErase ? 'button' : 'submit'}
            variant="default"
            leftSection={<Icon name="download" />}
            loading={saving.isPending}
            disabled={form.values.account.trim() === ''}
            {...(mayErase && { onClick: () => saving.mutate() })}
          >
            Export
          </Button>
        )}
      </div>
      {saving.error !== null && <Failure error={saving.error} />}
      {!mayErase && !mayExport && (
        <p className="quiet">Only an admin, a reviewer or an auditor can search.</p>
      )}
    </form>
  );
}

const WAITING: readonly Column<ErasureRequest>[] = [
  { title: 'Customer', cell: ({ person }) => <span className="mono">{person ?? 'not stored'}</span> },
  { title: 'Requested', from: 'sm', cell: ({ at }) => <Ago at={at} /> },
  { title: 'Records', align: 'right', cell: ({ waiting }) => waiting },
  {
    title: 'Erased on',
    align: 'right',
    cell: ({ kept_until: until }) => (until === null ? 'When they end' : <Day day={until.slice(0, 10)} />),
  },
];

function Requests() {
  const { mode } = useOperatorLocation();
  const { data, error, refetch } = useRequests(mode);
  return (
    <Section
      title="Waiting requests"
      lead="Erased without another request, when the records have ended and the law no longer requires them."
      bare
    >
      <DataTable
        caption="Waiting requests"
        columns={WAITING}
        rows={data?.requests}
        rowKey={({ person, at, requested_by: by }) => `${person} ${at} ${by}`}
        error={error}
        retry={() => void refetch()}
        empty={
          <Empty icon="shield" title={`No request waits in ${mode} mode`}>
            A request appears here when some of its records must be kept for now.
          </Empty>
        }
      />
    </Section>
  );
}
