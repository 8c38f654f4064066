// Dialogs: a confirmation repeats what will happen; a secret is shown once and is not closed by accident.
import { Button, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeBlock } from './code-block.tsx';
import styles from './dialogs.module.css';
import { Failure } from './message.tsx';

interface ConfirmProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** A verb with its object: "Revoke key". */
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  readonly confirm: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  readonly error?: unknown;
  readonly disabled?: boolean;
  readonly onConfirm: () => void;
}

export function ConfirmDialog(props: ConfirmProps) {
  const { opened, onClose, title, children, confirm, danger = false, busy = false, error, onConfirm } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="md">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) onConfirm();
        }}
      >
        {children}
        {Boolean(error) && <Failure error={error} />}
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={busy}
            disabled={props.disabled ?? false}
            {...(danger && { color: 'red' })}
          >
            {confirm}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

interface SecretProps {
  readonly title: string;
  /** Null: closed. */
  readonly secret: string | null;
  readonly children: ReactNode;
  readonly onStored: () => void;
}

/** Neither a click beside it nor escape closes it: the secret cannot be shown again. */
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
      <div className={styles.form}>
        {children}
        <CodeBlock code={secret ?? ''} label="secret" />
        <p className={styles.once} data-sure={sure || undefined}>
          It is shown this once. The service keeps only what it needs to check it.
        </p>
        <div className={styles.buttons}>
          <Button onClick={stored}>I have stored it</Button>
        </div>
      </div>
    </Modal>
  );
}
