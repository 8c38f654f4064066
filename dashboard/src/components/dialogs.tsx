// Dialogs. A confirmation describes the effect of the action. A form sends its fields and shows the refusals of the service. A
// dialog with a secret cannot be closed by accident.
import { Button, Modal, SegmentedControl, Textarea } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { post } from '../api/calls.ts';
import { errorBeyondFields, mistakesIn } from '../api/failure.ts';
import { authenticateWithPasskey } from '../api/passkeys.ts';
import { type ActionOptions, useAction } from '../api/query.ts';
import { CodeBlock } from './code-block.tsx';
import { CodeField } from './fields.tsx';
import styles from './page.module.css';
import { Failure } from './page.tsx';

interface DialogProps {
  /** By default, the dialog is open as long as the page renders it. */
  readonly opened?: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  /** The text of the confirm button. The default is the title. */
  readonly confirm?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly size?: 'md' | 'lg';
}

interface ConfirmProps extends DialogProps {
  readonly busy?: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
}

export function ConfirmDialog(props: ConfirmProps) {
  const { opened = true, onClose, title, children, confirm = title, danger, disabled, size = 'md' } = props;
  const { busy = false, error, onConfirm } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={size}>
      <form
        className="column flush"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && !disabled) onConfirm();
        }}
      >
        {children}
        {Boolean(error) && <Failure error={error} />}
        <div className="row at-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={disabled} {...(danger && { color: 'red' })}>
            {confirm}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

interface FormProps<Answer> extends DialogProps, Pick<ActionOptions<void, Answer>, 'refreshes' | 'done'> {
  /** The fields have the same names as in the API, so that each refusal is shown at its field. */
  readonly form?: Pick<UseFormReturnType<object>, 'setErrors' | 'clearErrors' | 'reset'>;
  /** Names of the fields that show their own refusals, so that the form does not repeat them. */
  readonly errorFields?: readonly string[];
  readonly run: () => Promise<Answer>;
  /** By default, the dialog closes. */
  readonly onDone?: (answer: Answer) => void;
  /** If set, the dialog asks for a second factor before it runs the action. */
  readonly stepUp?: Pick<StepUpProps, 'subjectId' | 'title' | 'children'>;
}

export function FormDialog<Answer>(props: FormProps<Answer>) {
  const { opened = true, form, errorFields = [], run, refreshes, done, onDone, stepUp, ...dialog } = props;
  const [stepping, setStepping] = useState(false);
  const close = () => {
    setStepping(false);
    dialog.onClose();
  };
  const action = useAction(run, {
    ...{ refreshes, done, quiet: true },
    onDone: (answer) => {
      form?.reset();
      if (onDone === undefined) close();
      else onDone(answer);
    },
  });
  const start = () => {
    form?.clearErrors();
    action.mutate(undefined, { onError: (error) => form?.setErrors(mistakesIn(error)) });
  };
  return (
    <>
      <ConfirmDialog
        {...dialog}
        opened={opened && !stepping}
        onClose={close}
        busy={action.isPending}
        error={errorBeyondFields(action.error, ...errorFields)}
        onConfirm={() => (stepUp === undefined ? start() : setStepping(true))}
      />
      {stepUp !== undefined && (
        <StepUp
          {...stepUp}
          opened={opened && stepping}
          onClose={close}
          onPassed={() => {
            setStepping(false);
            start();
          }}
        />
      )}
    </>
  );
}

interface ReasonProps<Answer> extends Omit<FormProps<Answer>, 'form' | 'errorFields' | 'disabled' | 'run'> {
  readonly label?: string;
  /** Tells the person who will read the reason. */
  readonly description?: string;
  readonly run: (reason: string) => Promise<Answer>;
}

export function ReasonDialog<Answer>(props: ReasonProps<Answer>) {
  const { label = 'Reason', description, children, run, ...dialog } = props;
  const form = useForm({ initialValues: { reason: '' } });
  const reason = form.values.reason.trim();
  return (
    <FormDialog {...dialog} form={form} disabled={reason === ''} run={() => run(reason)}>
      {children}
      <Textarea
        {...form.getInputProps('reason')}
        label={label}
        description={description}
        maxLength={500}
        autosize
        minRows={2}
        required
        data-autofocus
      />
    </FormDialog>
  );
}

interface StepUpProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The id that the second factor is given for: the id of a proposal, or the person's own id. */
  readonly subjectId: string;
  readonly title: string;
  readonly children?: ReactNode;
  readonly onPassed: () => void;
}

type Kind = 'totp' | 'passkey';

/**
 * Asks for a second factor right before a decision about a subject. The second factor is valid for this subject for five
 * minutes.
 */
export function StepUp({ subjectId, children, onPassed, ...dialog }: StepUpProps) {
  const [kind, setKind] = useState<Kind>('totp');
  const form = useForm({ initialValues: { code: '' } });
  return (
    <FormDialog
      {...dialog}
      confirm={kind === 'totp' ? 'Confirm with code' : 'Confirm with passkey'}
      form={form}
      run={() =>
        kind === 'totp' ? stepUpWithCode(subjectId, form.values.code) : stepUpWithPasskey(subjectId)
      }
      onDone={onPassed}
    >
      {children}
      <SegmentedControl
        aria-label="Second factor"
        value={kind}
        onChange={(value) => setKind(value as Kind)}
        data={[
          { value: 'totp', label: 'Authenticator code' },
          { value: 'passkey', label: 'Passkey' },
        ]}
      />
      {kind === 'totp' && <CodeField {...form.getInputProps('code')} data-autofocus />}
    </FormDialog>
  );
}

function stepUpWithCode(subjectId: string, code: string) {
  const factor = { kind: 'totp', code: code.replaceAll(' ', '') } as const;
  return post('/step-ups', { body: { subject_id: subjectId, factor } });
}

async function stepUpWithPasskey(subjectId: string) {
  const body = { subject_id: subjectId };
  const { options } = await post('/step-ups/passkey-options', { body });
  const answer = await authenticateWithPasskey(options);
  return post('/step-ups', { body: { ...body, factor: { kind: 'passkey', answer } } });
}

interface SecretProps {
  readonly title: string;
  /** Null: closed. */
  readonly secret: string | null;
  readonly children: ReactNode;
  readonly onStored: () => void;
}

/** A click outside or the Escape key does not close the dialog, because the secret cannot be shown again. */
export function SecretOnce({ title, secret, children, onStored }: SecretProps) {
  const [sure, setSure] = useState(false);
  const stored = () => {
    setSure(false);
    onStored();
  };
  return (
    <Modal
      opened={secret !== null}
      onClose={() => setSure(true)}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <div className="column flush">
        {children}
        <CodeBlock code={secret ?? ''} label="secret" />
        <p className={styles.once} data-sure={sure || undefined}>
          This secret is shown only once. Store it now.
        </p>
        <div className="row at-end">
          <Button onClick={stored}>I have stored it</Button>
        </div>
      </div>
    </Modal>
  );
}
