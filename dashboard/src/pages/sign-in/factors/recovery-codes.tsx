// Recovery codes, shown this once: to copy, to download, and to confirm that they are stored.
import { Button, CopyButton } from '@mantine/core';
import styles from '../layout.module.css';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onStored: () => unknown;
}

export function RecoveryCodes({ codes, onStored }: RecoveryCodesProps) {
  const text = `${codes.join('\n')}\n`;
  return (
    <>
      <p>
        Each code signs you in once when you have lost your second factor. They are shown this once: store
        them where you keep passwords.
      </p>
      <ul className={`mono ${styles.codes}`} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <CopyButton value={text} timeout={1500}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy codes'}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="sliproad-recovery-codes.txt"
        >
          Download codes
        </Button>
      </div>
      <Button size="md" fullWidth onClick={() => onStored()}>
        I have stored them
      </Button>
    </>
  );
}
