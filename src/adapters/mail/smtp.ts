// Sends mails to a mail server by SMTP. The Message-ID is derived from the mail's id, so that a mail sent twice after an
// unknown outcome is recognised as one. Of a server's response or an error, only the code and the first line are passed on.
import nodemailer from 'nodemailer';
import { normaliseEmail, normaliseLine } from '../../domain/people/names.ts';
import type { Mail, MailOutcome, MailServer } from '../../ports/mail.ts';

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  readonly tls: 'starttls' | 'tls' | 'none';
  readonly user: string | null;
  readonly password: (() => string) | null;
  readonly from: { readonly name: string; readonly address: string };
  /** The time limit in milliseconds for the connection, for the greeting, and for each wait for a response of the server. */
  readonly timeoutMs?: number;
  /** The time limit in milliseconds for the whole mail. */
  readonly deadlineMs?: number;
}

const TIMEOUT_MS = 15_000;
const DEADLINE_MS = 60_000;
const SUBJECT_MAX = 300;
const PROBLEM_MAX = 200;

function smtpTransport({ host, port, tls, user, password }: Omit<SmtpSettings, 'from'>, timeoutMs: number) {
  return nodemailer.createTransport({
    host,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: { minVersion: 'TLSv1.2' },
    ...(user === null ? {} : { auth: { user, pass: password?.() ?? '' } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

export function makeSmtpServer(settings: SmtpSettings): MailServer {
  const { from, timeoutMs = TIMEOUT_MS, deadlineMs = DEADLINE_MS } = settings;
  const transport = smtpTransport(settings, timeoutMs);
  const domain = from.address.split('@')[1]!;
  const send = async (mail: Mail): Promise<MailOutcome> => {
    try {
      await transport.sendMail({
        from,
        to: { name: '', address: mail.recipient },
        subject: mail.subject,
        text: mail.body,
        messageId: `<${mail.id}@${domain}>`,
        date: new Date(mail.createdAtMs),
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return { kind: 'sent' };
    } catch (error) {
      return outcomeOf(error as SmtpError);
    }
  };
  return {
    send: async (mail) => {
      if (
        normaliseEmail(mail.recipient) !== mail.recipient ||
        normaliseLine(mail.subject, SUBJECT_MAX) === undefined
      )
        return { kind: 'refused', lasting: true, problem: 'the recipient or the subject is not one line' };
      return withDeadline(send(mail), deadlineMs);
    },
  };
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly permanent?: boolean;
}

/**
 * A refusal at these steps concerns this mail. A refusal at an earlier step concerns the connection, the account or the sender.
 */
const ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA']);

function outcomeOf({
  code = 'error',
  command = '',
  responseCode,
  permanent,
  message,
}: SmtpError): MailOutcome {
  const problem = `${command || code}: ${message}`.split(/[\r\n]/)[0]!.slice(0, PROBLEM_MAX);
  if (responseCode === undefined) return { kind: 'unknown', problem };
  return { kind: 'refused', lasting: permanent === true && ABOUT_THE_MAIL.has(command), problem };
}

async function withDeadline(sending: Promise<MailOutcome>, deadlineMs: number): Promise<MailOutcome> {
  const deadline = Promise.withResolvers<MailOutcome>();
  const problem = `the mail server took longer than ${deadlineMs} ms`;
  const timer = setTimeout(() => deadline.resolve({ kind: 'unknown', problem }), deadlineMs);
  return Promise.race([sending, deadline.promise]).finally(() => clearTimeout(timer));
}

// Checks whether a mail server accepts mails: connection, encryption and sign-in. The check sends no mail.

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
