// A mail server for tests: the package smtp-server, which records mails and commands and fails like real servers.
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { afterFile } from './sharing/file-group.ts';

/** The server's response to RCPT, MAIL or AUTH, or to the final dot of a mail. */
const REFUSALS = {
  recipient_later: [450, '4.2.1 mailbox busy'],
  recipient_unknown: [550, '5.1.1 no such mailbox'],
  sender_refused: [550, '5.7.1 sender refused'],
  wrong_password: [535, '5.7.8 authentication failed'],
  refuses_after_data: [554, '5.7.1 content refused'],
  busy_after_data: [451, '4.3.0 try again'],
} as const;

export type SmtpFault =
  | keyof typeof REFUSALS
  | 'drops_after_dot'
  /** No greeting. */
  | 'silent'
  | 'silent_after_dot';

export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly encrypted: boolean;
  readonly user: string | null;
}

export interface SmtpStandIn {
  readonly port: number;
  /** The active fault, until another value replaces it. */
  fault: SmtpFault | null;
  /** Every mail whose final dot arrived, even if the server refused it or sent no response. */
  readonly taken: TakenMail[];
  readonly lines: string[];
}

/** Returns the text as a mail program shows it, with soft line breaks and =XX decoded (RFC 2045). */
export function readable({ text }: TakenMail): string {
  if (!/^Content-Transfer-Encoding: quoted-printable\r$/m.test(text)) return text;
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

interface StandInOptions {
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly login?: { readonly user: string; readonly password: string };
}

export async function startSmtpServer({ tls, login }: StandInOptions = {}): Promise<SmtpStandIn> {
  const state = { port: 0, fault: null as SmtpFault | null, taken: [] as TakenMail[], lines: [] as string[] };
  const refusal = (...faults: (keyof typeof REFUSALS)[]) => {
    const fault = faults.find((each) => each === state.fault);
    if (fault === undefined) return null;
    const [responseCode, message] = REFUSALS[fault];
    return Object.assign(new Error(message), { responseCode });
  };
  const server = new SMTPServer({
    ...tls,
    disabledCommands: [tls === undefined ? 'STARTTLS' : '', login === undefined ? 'AUTH' : ''],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: {
      debug: ({ tnx }: { tnx?: string }, _: string, line: string) =>
        tnx === 'command' && state.lines.push(line),
    },
    onConnect: (_, greet) => state.fault !== 'silent' && greet(),
    onAuth: ({ username, password }, _, answer) => {
      const isRight = username === login?.user && password === login?.password;
      answer(refusal('wrong_password'), isRight ? { user: username } : {});
    },
    onMailFrom: (_, __, answer) => answer(refusal('sender_refused')),
    onRcptTo: (_, __, answer) => answer(refusal('recipient_later', 'recipient_unknown')),
    onData: async (stream, session, answer) => {
      state.taken.push(mailOf(session, await readText(stream)));
      if (state.fault === 'drops_after_dot') drop(({ id }) => id === session.id);
      else if (state.fault !== 'silent_after_dot') answer(refusal('refuses_after_data', 'busy_after_data'));
    },
  });
  const drop = (isMeant: (session: SMTPServerSession) => boolean) => {
    for (const { session, _socket } of server.connections) if (isMeant(session)) _socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.port = (server.server.address() as AddressInfo).port;
  afterFile(() => {
    server.close();
    drop(() => true);
  });
  return state;
}

function mailOf({ envelope, secure, user }: SMTPServerSession, text: string): TakenMail {
  const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
  const to = envelope.rcptTo.map(({ address }) => address);
  return { from, to, text, encrypted: secure, user: user ?? null };
}
