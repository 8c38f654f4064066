// An id, a hash or an address: shortened in the middle, whole on hover, copied by one click.
import { CopyButton, Tooltip, UnstyledButton } from '@mantine/core';
import { shortened } from './format.ts';
import { Icon } from './icon.tsx';
import styles from './id.module.css';

interface IdProps {
  readonly value: string;
  /** What it is, for the button's name: "transaction id". */
  readonly label?: string;
  /** Characters kept at each end; all of them when false. */
  readonly keep?: number | false;
}

export function Id({ value, label = 'id', keep = 6 }: IdProps) {
  const shown = keep === false ? value : shortened(value, keep);
  return (
    <span className={styles.id}>
      <Tooltip label={value} disabled={shown === value} multiline maw={420}>
        <span className={`mono ${styles.text}`}>{shown}</span>
      </Tooltip>
      <CopyButton value={value} timeout={1500}>
        {({ copied, copy }) => (
          <UnstyledButton
            className={styles.copy}
            aria-label={copied ? 'Copied' : `Copy ${label}`}
            onClick={(event) => {
              event.preventDefault();
              event.stopPropagation();
              copy();
            }}
          >
            <Icon name={copied ? 'check' : 'copy'} size={14} />
          </UnstyledButton>
        )}
      </CopyButton>
    </span>
  );
}
