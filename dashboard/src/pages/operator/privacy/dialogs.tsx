// Confirms the erasure of one customer's data. It cannot be undone, so the person types a word.
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { post } from '../../../api/calls.ts';
import type { ErasurePlan } from '../../../api/console-types.ts';
import { FormDialog } from '../../../components/dialogs.tsx';
import { Day } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { ApprovalHint, doneOrProposed } from '../rules.tsx';
import { bodyOf, type Person, REQUESTS } from './data.ts';

interface Props {
  readonly person: Person;
  readonly plan: ErasurePlan;
  readonly onClose: () => void;
  readonly onErased: () => void;
}

const WORD = 'erase';

export function EraseDialog({ person, plan, onClose, onErased }: Props) {
  const { mode } = useOperatorLocation();
  const form = useForm({ initialValues: { word: '' } });
  const isLive = mode === 'live';
  return (
    <FormDialog
      onClose={onClose}
      title={isLive ? 'Propose to erase personal data' : 'Erase personal data'}
      confirm={isLive ? 'Propose to erase' : 'Erase'}
      danger
      form={form}
      disabled={form.values.word.trim().toLowerCase() !== WORD}
      refreshes={[REQUESTS, '/operator/proposals']}
      done={doneOrProposed('Erased. Records that must be kept are erased later, without another request.')}
      run={() => post('/operator/privacy/erasures', { body: bodyOf(mode, person) })}
      onDone={() => {
        onErased();
        onClose();
      }}
    >
      <p>This cannot be undone. The names, account numbers and texts of this customer are replaced.</p>
      {plan.kept_until !== null && (
        <p>
          The law requires some records. They are erased by <Day day={plan.kept_until.slice(0, 10)} />,
          without another request.
        </p>
      )}
      <p>Backups still have the data until they are deleted.</p>
      <ApprovalHint needsTwo={isLive} />
      <TextInput
        {...form.getInputProps('word')}
        label={`Type “${WORD}” to confirm`}
        autoComplete="off"
        required
        data-autofocus
      />
    </FormDialog>
  );
}
