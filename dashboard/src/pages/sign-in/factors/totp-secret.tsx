// The secret of an authenticator application: to scan, to open on this device, or to type.
import { CopyButton, UnstyledButton } from '@mantine/core';
import type { BeginTotpAnswer } from '../../../api/console-types.ts';
import { Icon } from '../../../parts/icon.tsx';
import { QrCode } from '../../../parts/qr-code.tsx';
import styles from '../layout.module.css';

export function TotpSecret({ secret, uri }: Pick<BeginTotpAnswer, 'secret' | 'uri'>) {
  return (
    <>
      <p>Scan this with an authenticator application, then type the code that it shows.</p>
      <div className={styles.qr}>
        <QrCode text={uri} size={208} label="The secret as a QR code" />
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
          Open it in an application on this device
        </a>
      </p>
    </>
  );
}
