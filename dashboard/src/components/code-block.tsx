// Text that a person copies into a terminal or a program.
import { CopyButton, UnstyledButton } from '@mantine/core';
import styles from './code-block.module.css';
import { Icon } from './icon.tsx';

interface CodeBlockProps {
  readonly code: string;
  readonly label?: string;
  readonly title?: string;
}

export function CodeBlock({ code, label = 'code', title }: CodeBlockProps) {
  return (
    <figure className={styles.block}>
      {title !== undefined && <figcaption className={styles.title}>{title}</figcaption>}
      <CopyButton value={code} timeout={1500}>
        {({ copied, copy }) => (
          <UnstyledButton
            className={styles.copy}
            onClick={copy}
            aria-label={copied ? 'Copied' : `Copy ${label}`}
          >
            <Icon name={copied ? 'check' : 'copy'} size={16} />
            <span>{copied ? 'Copied' : 'Copy'}</span>
          </UnstyledButton>
        )}
      </CopyButton>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled by keyboard, too */}
      <pre className={`mono ${styles.code}`} tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
