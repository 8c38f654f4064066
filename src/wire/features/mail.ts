// Sends the mails of the queue, and answers those who asked for a new password.
import { makeSmtpServer } from '../../adapters/mail/smtp.ts';
import { answerResetAsks } from '../../app/membership/reset-password.ts';
import { sendMail } from '../../workers/send-mail.ts';
import type { Feature, ServiceParts } from '../feature.ts';

const NO_SERVER =
  'no mail server is configured: invitations and links for new passwords are kept and not sent (set SMTP_URL and MAIL_FROM)';

export function mailFeature(parts: ServiceParts): Feature {
  const { config, clock, log, membership, onError } = parts;
  const { smtp, from } = config.mail;
  if (smtp === null && !membership.sandbox) log.warn(NO_SERVER);
  const sending = sendMail({
    mails: membership.mails,
    server: smtp === null || from === null ? null : makeSmtpServer({ ...smtp, from }),
    clock,
    prepare: () => answerResetAsks(membership),
    onProblem: (mail) => log.warn(mail, 'a mail could not be sent'),
    onError,
  });
  return { loops: [sending] };
}
