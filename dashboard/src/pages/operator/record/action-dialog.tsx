// The dialog of an action on a record: its fields, a preview of its ledger postings, and the proposal. A rejection needs only
// one person and takes effect immediately.
import { Select, Textarea } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { post } from '../../../api/calls.ts';
import type { PossibleAction } from '../../../api/console-types.ts';
import { FormDialog } from '../../../components/dialogs.tsx';
import { words } from '../../../components/format.ts';
import type { Review } from '../decisions/labels.ts';
import { PreviewPart, usePreview } from '../decisions/preview.tsx';
import { ActionFields } from './action-fields.tsx';
import { type ActionValues, bodyOf, EMPTY_VALUES } from './data.ts';

interface ActionDialogProps {
  readonly review: Review;
  readonly action: PossibleAction;
  /** `posts` is the amount in naira that the action would post. Null means that it is still unknown. */
  readonly labelOf: (posts: string | null) => string;
  readonly transactionId?: string;
  readonly onClose: () => void;
}

export function ActionDialog({ review, action, labelOf, transactionId = '', onClose }: ActionDialogProps) {
  const { subject, public_reasons } = review;
  const form = useForm<ActionValues>({ initialValues: { ...EMPTY_VALUES, transactionId } });
  const { publicReason, note } = form.values;
  const alone = action.people === 1;
  const body = bodyOf(action, subject.id, form.values);
  const preview = usePreview(alone ? null : body, (given) =>
    post('/operator/reviews/preview', { body: given }),
  );
  // The amount in the visible preview. The service calculates it in the same way for the preview and for the proposal.
  const title = labelOf(preview.isCurrent ? (preview.data?.preview.amount ?? null) : action.amount);
  const ready = alone ? publicReason !== '' && note.trim() !== '' : preview.isCurrent;
  const run = async () => {
    if (!alone) return body && post('/operator/proposals/reviews', { body });
    if (publicReason === '') return null;
    const params = { transaction_id: subject.id };
    const rejection = { params, body: { public_reason: publicReason, note } };
    return post('/operator/transactions/{transaction_id}/reject', rejection);
  };
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      confirm={alone ? title : `Propose to ${lower(title)}`}
      danger={alone}
      size="lg"
      disabled={!ready}
      run={run}
      refreshes={['/operator']}
      done={alone ? 'Rejected.' : 'Proposed. Another person must approve it.'}
    >
      {transactionId === '' && <ActionFields action={action} subject={subject} form={form} />}
      {action.says_publicly && (
        <Select
          label="Public reason"
          description={
            alone
              ? undefined
              : 'The business reads it. Default: the operator decided to refund the transaction.'
          }
          data={public_reasons.map((value) => ({ value, label: words(value) }))}
          value={publicReason === '' ? null : publicReason}
          onChange={(value) =>
            form.setValues({ publicReason: public_reasons.find((each) => each === value) ?? '' })
          }
          required={alone}
          clearable={!alone}
        />
      )}
      {alone ? <RejectNote form={form} /> : <PreviewPart title="Effect once approved" of={preview} />}
    </FormDialog>
  );
}

function RejectNote({ form }: { readonly form: UseFormReturnType<ActionValues> }) {
  return (
    <>
      <p>This closes the buy immediately. No money was received for it, so one person is enough.</p>
      <Textarea
        {...form.getInputProps('note')}
        label="Private note"
        description="Visible to the operator only."
        maxLength={500}
        autosize
        minRows={2}
        required
      />
    </>
  );
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
