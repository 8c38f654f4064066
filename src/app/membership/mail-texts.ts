// The texts of the mails, as plain text. A link has its token after the #, so that no server on the way writes the token to a
// log.

export interface MailText {
  readonly subject: string;
  readonly body: string;
}

const IGNORE_LINE = 'If you did not expect this mail, you can ignore it.';

export function invitationText(invitation: {
  readonly baseUrl: string;
  readonly token: string;
  readonly inviterName: string | null;
  readonly businessName: string | null;
  readonly role: string;
}): MailText {
  const { baseUrl, token, inviterName, businessName, role } = invitation;
  const place = businessName ?? 'the operator of Sliproad';
  return {
    subject: `Invitation to ${place}`,
    body: joinParagraphs(
      `${inviterName ?? 'The operator of Sliproad'} has invited you to join ${place} as ${role}.`,
      'To accept, open this link within 7 days. It works once, and only for this e-mail address:',
      `${baseUrl}/app/invitation#token=${token}`,
      IGNORE_LINE,
    ),
  };
}

/**
 * This mail tells the other people of the operator about an invitation, because the invited person may soon decide about money.
 */
export function operatorInvitedText(invitation: {
  readonly email: string;
  readonly role: string;
  readonly inviterName: string | null;
}): MailText {
  const { email, role, inviterName } = invitation;
  return {
    subject: `${email} was invited to join the operator as ${role}`,
    body: joinParagraphs(
      `${inviterName ?? 'A person with access to the server'} has invited ${email} to join the operator of Sliproad as ${role}.`,
      'You receive this mail because you have a role there. If you do not know this person, ask another admin immediately.',
      'An admin can withdraw the invitation, or disable the person once it has been accepted (bin/sliproad people disable).',
    ),
  };
}

export function passwordResetText(baseUrl: string, token: string): MailText {
  return {
    subject: 'Set a new password',
    body: joinParagraphs(
      'A new password was requested for your account. To set one, open this link within 1 hour. It works once:',
      `${baseUrl}/app/reset-password#token=${token}`,
      'You still need your second factor to sign in afterwards.',
      IGNORE_LINE,
    ),
  };
}

export function adminResetText(baseUrl: string, token: string): MailText {
  return {
    subject: 'Set up your sign-in again',
    body: joinParagraphs(
      'An admin has removed your password and your second factors, and ended all your sessions.',
      'To set a new password, open this link within 1 hour. It works once:',
      `${baseUrl}/app/reset-password#token=${token}`,
      'Then sign in and set up a second factor again. If the link has expired, request a new password on the sign-in page.',
    ),
  };
}

export function passwordChangedText(): MailText {
  return {
    subject: 'Your password was changed',
    body: joinParagraphs(
      'Your password was changed with a link sent to this address. All your sessions have ended.',
      'If this was not you, contact the operator immediately: someone else can read your mail.',
    ),
  };
}

export function signUpDeclinedText(businessName: string): MailText {
  return {
    subject: `Sign-up of ${businessName}`,
    body: joinParagraphs(
      `The operator has not approved the sign-up of ${businessName}.`,
      'If you have questions, contact the operator.',
    ),
  };
}

function joinParagraphs(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}
