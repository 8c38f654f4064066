// Sends the queued mails, and processes requests for a new password.
import { answerResetRequests } from '../../app/membership/reset-password.ts';
import type { MailServer } from '../../ports/mail.ts';
import { startSendingMail } from '../../workers/send-mail.ts';
import type { Feature, ServiceParts } from '../feature.ts';

const NO_MAIL_SERVER_WARNING =
  'no mail server is configured: invitations and password links are stored but not sent (set SMTP_URL and MAIL_FROM)';

export async function mailFeature(parts: ServiceParts): Promise<Feature> {
  const { config, clock, log, membership, onError } = parts;
  if (config.mail.smtp === null && !membership.sandbox) log.warn(NO_MAIL_SERVER_WARNING);
  const sending = startSendingMail({
    mails: membership.mails,
    server: await openMailServer(config),
    clock,
    prepare: () => answerResetRequests(membership),
    onProblem: (mail) => log.warn(mail, 'a mail could not be sent'),
    onError,
  });
  return { loops: [sending] };
}

async function openMailServer({ mail: { smtp, from } }: ServiceParts['config']): Promise<MailServer | null> {
  if (smtp === null || from === null) return null;
  const { makeSmtpServer } = await import('../../adapters/mail/smtp.ts');
  return makeSmtpServer({ ...smtp, from });
}
