// The steps that set up a second factor: the secret of an authenticator, the device of a passkey, and the recovery codes.
import { Button, CopyButton, UnstyledButton } from '@mantine/core';
import type { BeginTotpAnswer } from '../../../api/console-types.ts';
import { hostNameUrl } from '../../../api/passkeys.ts';
import { Icon } from '../../../components/icon.tsx';
import { Notice } from '../../../components/page.tsx';
import { QrCode } from '../../../components/qr-code.tsx';
import styles from '../layout.module.css';

export function TotpSecret({ secret, uri }: Pick<BeginTotpAnswer, 'secret' | 'uri'>) {
  return (
    <>
      <p>Scan this with an authenticator app, then enter the code that it shows.</p>
      <div className={styles.qr}>
        <QrCode text={uri} size={208} label="QR code of the secret" />
      </div>
      <div className={styles.secret}>
        <code className="mono">{secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code>
        <CopyButton value={secret} timeout={1500}>
          {({ copied, copy }) => (
            <UnstyledButton onClick={copy} aria-label={copied ? 'Copied' : 'Copy secret'} p={4}>
              <Icon name={copied ? 'check' : 'copy'} size={16} />
            </UnstyledButton>
          )}
        </CopyButton>
      </div>
      <p>
        <a className="text-link" href={uri}>
          Open in an app on this device
        </a>
      </p>
    </>
  );
}

export function PasskeyAddressNotice() {
  const named = hostNameUrl();
  if (named === null) return null;
  return (
    <Notice tone="person">
      Passkeys do not work at an IP address.{' '}
      <a className="text-link" href={named}>
        Open this page at its host name
      </a>{' '}
      and sign in there.
    </Notice>
  );
}

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onStored: () => unknown;
}

export function RecoveryCodes({ codes, onStored }: RecoveryCodesProps) {
  const text = `${codes.join('\n')}\n`;
  return (
    <>
      <p>
        If you lose your second factor, you can sign in once with each code. The codes are shown only now:
        store them with your passwords.
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
