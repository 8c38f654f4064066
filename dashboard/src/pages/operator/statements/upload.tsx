// The upload of a statement file: the account, the file selection or drop area, the progress, and the result.
import { Button, Checkbox, Select } from '@mantine/core';
import { type DragEvent, useId, useState } from 'react';
import type { AccountImport } from '../../../api/console-types.ts';
import { failureOf } from '../../../api/failure.ts';
import { counted } from '../../../components/format.ts';
import { TextLink } from '../../../components/link.tsx';
import { Facts, Failure, Notice } from '../../../components/page.tsx';
import { Day } from '../../../components/values.tsx';
import type { Mode } from '../../../layout/location.ts';
import styles from '../operator.module.css';
import { useVendors } from '../vendors/dialogs.tsx';
import { type AccountQuestion, type OfAccount, useUpload } from './data.ts';
import { QuestionDialog } from './question-dialog.tsx';
import { ReadingProgress } from './reading-progress.tsx';
import { ProblemTable } from './tables.tsx';

interface Props {
  readonly mode: Mode;
  readonly base: string;
  readonly profiles: readonly { readonly name: string; readonly title: string }[];
  readonly payoutAccounts: readonly string[];
}

export function UploadForm({ mode, base, profiles, payoutAccounts }: Props) {
  const { state, send, decline } = useUpload(mode);
  const [of, setOf] = useState<OfAccount | null>(null);
  const [profile, setProfile] = useState<string | null>(null);
  const [profileChange, setProfileChange] = useState(false);
  const [file, setFile] = useState<File | null>(null);
  const isBusy = state.kind === 'sending' || state.kind === 'reading';
  const submit = async (withoutSource: readonly AccountQuestion[] | null = null) => {
    if (of === null || file === null) return;
    if (await send({ of, profile, profileChange, file, withoutSource })) setFile(null);
  };
  return (
    <form
      className={styles.uploadForm}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <AccountSelect mode={mode} payoutAccounts={payoutAccounts} onAccount={setOf} isBusy={isBusy} />
      <FileDrop file={file} onFile={setFile} isBusy={isBusy} />
      <Select
        label="Column profile"
        description="Only for CSV, Excel and HTML tables. Default: detected from the header."
        data={profiles.map(({ name, title }) => ({ value: name, label: title }))}
        value={profile}
        onChange={setProfile}
        disabled={isBusy}
        clearable
      />
      <Checkbox
        label="The bank changed its format; use this profile"
        checked={profileChange}
        onChange={(event) => setProfileChange(event.currentTarget.checked)}
        disabled={isBusy}
      />
      <div>
        <Button type="submit" loading={isBusy} disabled={of === null || file === null}>
          Import statement
        </Button>
      </div>
      <div aria-live="polite" className={styles.outcome}>
        {(state.kind === 'sending' || state.kind === 'reading') && (
          <ReadingProgress mode={mode} of={of} sent={state.kind === 'sending' ? state.percent : 100} />
        )}
        {state.kind === 'failed' && <Failure error={state.error} meaning={meaningOf(state.error)} />}
        {state.kind === 'done' &&
          state.imported.map((each) => (
            <AccountOutcome
              key={each.account}
              result={each}
              isOne={state.imported.length === 1}
              base={base}
            />
          ))}
      </div>
      {state.kind === 'asking' && (
        <QuestionDialog
          questions={state.questions}
          onClose={decline}
          onConfirm={() => void submit(state.questions)}
        />
      )}
    </form>
  );
}

const EVERY_ACCOUNT = { value: 'every_account', label: 'Every account in the file' } as const;

interface AccountProps {
  readonly mode: Mode;
  readonly payoutAccounts: readonly string[];
  readonly onAccount: (of: OfAccount | null) => void;
  readonly isBusy: boolean;
}

function AccountSelect({ mode, payoutAccounts, onAccount, isBusy }: AccountProps) {
  const { data, error, refetch } = useVendors(mode);
  if (error !== null && data === undefined) return <Failure error={error} retry={() => void refetch()} />;
  const vendors = (data?.vendors ?? []).map(({ vendor_id: value, name, number, bank }) => {
    return { value, label: `${name}, ${number}, ${bank}` };
  });
  return (
    <Select
      label="Account"
      placeholder="Account of this statement"
      data={[
        { group: 'Several accounts', items: [EVERY_ACCOUNT] },
        { group: 'Vendor accounts', items: vendors },
        { group: 'Payout accounts', items: [...payoutAccounts] },
      ].filter(({ items }) => items.length > 0)}
      onChange={(value) => {
        if (value === null) onAccount(null);
        else if (value === EVERY_ACCOUNT.value) onAccount('every_account');
        else onAccount(payoutAccounts.includes(value) ? { account: value } : { vendor_id: value });
      }}
      nothingFoundMessage="No matching account"
      disabled={isBusy}
      searchable
      required
    />
  );
}

function meaningOf(error: unknown): string {
  return failureOf(error).isTransient
    ? 'Import the file again; stored rows are not duplicated.'
    : 'Nothing in this file was credited.';
}

interface DropProps {
  readonly file: File | null;
  readonly onFile: (file: File | null) => void;
  readonly isBusy: boolean;
}

function FileDrop({ file, onFile, isBusy }: DropProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent, is: boolean) => {
    event.preventDefault();
    setOver(is);
  };
  return (
    <label
      htmlFor={id}
      className={styles.drop}
      data-over={isOver}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={(event) => {
        over(event, false);
        const dropped = event.dataTransfer.files[0];
        if (dropped !== undefined && !isBusy) onFile(dropped);
      }}
    >
      <span className={styles.dropTitle}>{file === null ? 'Choose a file, or drop it here' : file.name}</span>
      <span className="quiet">CSV, Excel (.xlsx), HTML table (.xls), MT940, camt.053, camt.054 or OFX</span>
      <input
        id={id}
        type="file"
        disabled={isBusy}
        className="only-screen-reader"
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0] ?? null);
          // Without this, the person could not choose the same file again after a correction.
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}

/** Each account of a file is imported completely or not at all. */
function AccountOutcome({
  result: { account, refused, imported },
  isOne,
  base,
}: {
  readonly result: AccountImport;
  readonly isOne: boolean;
  readonly base: string;
}) {
  return (
    <>
      {!isOne && <h3>{account}</h3>}
      {refused !== null && <Notice tone="failed">{refused}</Notice>}
      {imported !== null && <Outcome imported={imported} base={base} />}
    </>
  );
}

function Outcome({
  imported,
  base,
}: {
  readonly imported: NonNullable<AccountImport['imported']>;
  readonly base: string;
}) {
  const { file, same, pending, days, gaps, incomplete_days: incomplete, problems, question } = imported;
  if (same)
    return (
      <Notice>
        This file was already imported. Nothing changed.{' '}
        <TextLink to={`${base}/statements/${file.file_id}`}>Open file</TextLink>
      </Notice>
    );
  if (question !== null)
    return <Notice tone="person">Nothing was imported: this account has no credit source.</Notice>;
  if (file.awaits_confirmation)
    return (
      <Notice tone="person">
        Nothing was imported: the column profile “{file.profile}” is unverified, so people must first confirm
        its totals. <TextLink to={`${base}/statements/${file.file_id}`}>Compare totals</TextLink>
      </Notice>
    );
  return (
    <>
      <Notice tone={gaps > 0 || file.problem_count > 0 ? 'person' : 'completed'}>
        {counted(file.rows_new, 'new row')}, {file.rows_known} known, {file.problem_count} unreadable.
        {gaps > 0 &&
          ` ${counted(gaps, 'day has', 'days have')} a gap in the balances: new rows are not credited until a file closes it.`}
        {incomplete.length > 0 &&
          ` ${counted(incomplete.length, 'day is', 'days are')} only partly covered (${incomplete.slice(0, 3).join(', ')}${incomplete.length > 3 ? ', …' : ''}).`}{' '}
        <TextLink to={`${base}/statements/${file.file_id}`}>Open file</TextLink>
      </Notice>
      <Facts
        facts={[
          { label: 'Format', value: `${file.format}, profile ${file.profile}` },
          { label: 'Rows', value: String(file.rows_read) },
          {
            label: 'Days',
            value: file.from_day !== null && file.to_day !== null && (
              <>
                {days} (<Day day={file.from_day} /> to <Day day={file.to_day} />)
              </>
            ),
          },
          pending > 0 && { label: 'Pending', value: `${pending} (not stored)` },
        ]}
      />
      {problems.length > 0 && <ProblemTable problems={problems} count={file.problem_count} />}
    </>
  );
}
