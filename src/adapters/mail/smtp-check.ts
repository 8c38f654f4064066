// Asks a mail server whether it would take mails: connection, encryption and sign-in. No mail is sent.
import { type SmtpSettings, smtpTransport } from './smtp.ts';

/** Rejects with what the server or the connection says. */
export async function checkSmtpServer(
  settings: Omit<SmtpSettings, 'from'>,
  timeoutMs: number,
): Promise<void> {
  const transport = smtpTransport(settings, timeoutMs);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}
