// The dialog of an action: what it needs to know, what it will post to the ledger, and the proposal. A rejection takes one
// person and is done at once.
import { Button, Modal, Select, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { PossibleAction } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { words } from '../../../parts/format.ts';
import { Failure } from '../../../parts/message.tsx';
import { Loading } from '../../../parts/page.tsx';
import { PreviewView } from '../decisions/preview.tsx';
import type { Review } from '../decisions/types.ts';
import styles from './action-dialog.module.css';
import { ActionFields } from './action-fields.tsx';
import { bodyOf, type Given, NOTHING_GIVEN, propose, reject, usePreview } from './data.ts';

interface ActionDialogProps {
  readonly review: Review;
  readonly action: PossibleAction;
  /** In naira, what it posts; null while that is not known. */
  readonly labelOf: (posts: string | null) => string;
  readonly transactionId?: string;
  readonly onClose: () => void;
}

export function ActionDialog({ review, action, labelOf, transactionId = '', onClose }: ActionDialogProps) {
  const { subject, public_reasons } = review;
  const [given, setGiven] = useState<Given>({ ...NOTHING_GIVEN, transactionId });
  const change = (changes: Partial<Given>) => setGiven((before) => ({ ...before, ...changes }));
  const alone = action.people === 1;
  const body = bodyOf(action, subject.id, given);
  const preview = usePreview(alone ? null : body);
  const run = useAction(async () => (alone ? reject(subject.id, given) : body && propose(body)), {
    refreshes: ['/operator'],
    done: alone ? 'Rejected' : 'Proposed. Another person approves it.',
    onDone: onClose,
    quiet: true,
  });
  // The amount of the preview before the eyes: it is planned as the proposal will be.
  const title = labelOf(preview.isCurrent ? (preview.data?.preview.amount ?? null) : action.amount);
  const ready = alone ? given.publicReason !== '' && given.note.trim() !== '' : preview.isCurrent;
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !run.isPending) run.mutate();
        }}
      >
        {transactionId === '' && (
          <ActionFields action={action} subject={subject} given={given} onChange={change} />
        )}
        {action.says_publicly && (
          <Select
            label="What the business reads"
            description={alone ? undefined : 'Left open: that the operator decided to refund it.'}
            data={public_reasons.map((value) => ({ value, label: words(value) }))}
            value={given.publicReason === '' ? null : given.publicReason}
            onChange={(value) =>
              change({ publicReason: public_reasons.find((each) => each === value) ?? '' })
            }
            required={alone}
            clearable={!alone}
          />
        )}
        {alone ? (
          <RejectNote given={given} onChange={change} />
        ) : (
          <PreviewPart body={body} preview={preview} />
        )}
        {run.error !== null && <Failure error={run.error} />}
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!ready} loading={run.isPending} {...(alone && { color: 'red' })}>
            {alone ? title : `Propose to ${lower(title)}`}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

interface FieldProps {
  readonly given: Given;
  readonly onChange: (changes: Partial<Given>) => void;
}

function RejectNote({ given, onChange }: FieldProps) {
  return (
    <>
      <p>The buy is closed at once. No money came for it, so one person is enough.</p>
      <Textarea
        label="Note"
        description="Only the operator reads it."
        value={given.note}
        onChange={(event) => onChange({ note: event.currentTarget.value })}
        maxLength={500}
        autosize
        minRows={2}
        required
      />
    </>
  );
}

interface PreviewPartProps {
  readonly body: object | null;
  readonly preview: ReturnType<typeof usePreview>;
}

/** The place is kept while the preview is on its way: nothing jumps. */
function PreviewPart({ body, preview: { data, error } }: PreviewPartProps) {
  return (
    <section className={styles.preview} aria-label="What it will do" aria-live="polite">
      <p className={styles.title}>What it will do once it is approved</p>
      {body === null && <p className="quiet">Fill in the fields above to see it.</p>}
      {body !== null && error !== null && <Failure error={error} />}
      {body !== null && error === null && data === undefined && (
        <Loading lines={4} label="Loading the preview" />
      )}
      {body !== null && data !== undefined && <PreviewView preview={data.preview} />}
    </section>
  );
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
