// A mail server for tests, from RFC 5321 (the conversation), RFC 3207 (STARTTLS) and RFC 4954 (AUTH PLAIN and LOGIN). It keeps
// what it took and what it was sent, and can fail in the ways real servers do.
import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterFile } from '../sharing/after-file.ts';

export type SmtpFault =
  /** The final dot is answered with 554. */
  | 'refuses_after_data'
  /** The final dot is answered with 451. */
  | 'busy_after_data'
  /** Takes the mail, and closes without an answer. */
  | 'drops_after_dot'
  /** RCPT is answered with 450, or with 550. */
  | 'recipient_later'
  | 'recipient_unknown'
  /** MAIL is answered with 550. */
  | 'sender_refused'
  /** AUTH is answered with 535. */
  | 'wrong_password'
  /** No greeting. */
  | 'silent'
  /** The answer to the final dot never comes. */
  | 'silent_after_dot';

export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, with the dots put in for the way taken out again. */
  readonly text: string;
  readonly encrypted: boolean;
  readonly user: string | null;
}

export interface SmtpStandIn {
  readonly port: number;
  /** In force until it is replaced. */
  fault: SmtpFault | null;
  /** Every mail whose final dot arrived, also when the answer was a refusal or none. */
  readonly taken: TakenMail[];
  /** Every command line, of all connections. */
  readonly lines: string[];
}

/** The text as a mail program shows it (RFC 2045: soft line ends and =XX are undone). */
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

export async function startSmtpServer(options: StandInOptions = {}): Promise<SmtpStandIn> {
  const sockets = new Set<Socket>();
  const state = { port: 0, fault: null as SmtpFault | null, taken: [] as TakenMail[], lines: [] as string[] };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    converse(socket, state, options);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.port = (server.address() as { port: number }).port;
  afterFile(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return state;
}

interface Conversation {
  encrypted: boolean;
  user: string | null;
  from: string | null;
  to: string[];
  /** What the next line is, when it is no command. */
  awaits: 'data' | 'plain' | 'user' | 'password' | null;
  data: string[];
  givenUser: string;
  /** What happens when the answer is written. */
  next: 'upgrade' | 'end' | 'drop' | null;
}

function converse(plain: Socket, state: SmtpStandIn, options: StandInOptions): void {
  const talk: Conversation = {
    ...{ encrypted: false, user: null, from: null, to: [] },
    ...{ awaits: null, data: [], givenUser: '', next: null },
  };
  let socket: Socket = plain;
  const listen = () => {
    let rest = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1');
      for (let end = rest.indexOf('\r\n'); end !== -1; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        const reply = answer(line, talk, state, options);
        if (reply !== null) socket.write(`${reply}\r\n`);
        // After STARTTLS the bytes of the plain connection count no more.
        if (act() === 'upgrade') return;
      }
    });
  };
  const act = () => {
    const { next } = talk;
    talk.next = null;
    if (next === 'end') socket.end();
    if (next === 'drop') socket.destroy();
    if (next === 'upgrade') {
      plain.removeAllListeners('data');
      socket = new TLSSocket(plain, { isServer: true, ...options.tls });
      Object.assign(talk, { encrypted: true, from: null, to: [], user: null });
      listen();
    }
    return next;
  };
  listen();
  if (state.fault !== 'silent') socket.write('220 mail.test ESMTP\r\n');
}

function answer(
  line: string,
  talk: Conversation,
  state: SmtpStandIn,
  options: StandInOptions,
): string | null {
  if (talk.awaits === 'data') return takeData(line, talk, state);
  if (talk.awaits !== null) return takeSecret(line, talk, state, options);
  state.lines.push(line);
  const verb = line.split(' ')[0]!.toUpperCase();
  if (verb === 'MAIL' || verb === 'RCPT' || verb === 'DATA')
    return takeMail(verb, line, talk, state, options);
  switch (verb) {
    case 'EHLO':
      return offers(talk, options);
    case 'HELO':
    case 'NOOP':
    case 'RSET':
      Object.assign(talk, { from: null, to: [] });
      return '250 OK';
    case 'STARTTLS':
      if (options.tls === undefined) return '502 not here';
      talk.next = 'upgrade';
      return '220 go ahead';
    case 'AUTH':
      return beginLogin(line, talk, state, options);
    case 'QUIT':
      talk.next = 'end';
      return '221 bye';
    default:
      return '500 unknown command';
  }
}

function offers({ encrypted }: Conversation, { tls, login }: StandInOptions): string {
  const lines = ['mail.test'];
  if (tls !== undefined && !encrypted) lines.push('STARTTLS');
  if (login !== undefined) lines.push('AUTH PLAIN LOGIN');
  return [...lines.map((offer) => `250-${offer}`), '250 8BITMIME'].join('\r\n');
}

function takeMail(
  verb: 'MAIL' | 'RCPT' | 'DATA',
  line: string,
  talk: Conversation,
  { fault }: SmtpStandIn,
  { login }: StandInOptions,
): string {
  const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
  if (verb === 'MAIL') {
    if (login !== undefined && talk.user === null) return '530 5.7.0 authentication required';
    if (fault === 'sender_refused') return '550 5.7.1 sender refused';
    talk.from = address;
    return '250 OK';
  }
  if (verb === 'RCPT') {
    if (talk.from === null) return '503 MAIL first';
    if (fault === 'recipient_later') return '450 4.2.1 mailbox busy';
    if (fault === 'recipient_unknown') return '550 5.1.1 no such mailbox';
    talk.to.push(address);
    return '250 OK';
  }
  if (talk.to.length === 0) return '503 RCPT first';
  talk.awaits = 'data';
  talk.data = [];
  return '354 end with a dot';
}

function takeData(line: string, talk: Conversation, state: SmtpStandIn): string | null {
  if (line !== '.') {
    talk.data.push(line.startsWith('.') ? line.slice(1) : line);
    return null;
  }
  talk.awaits = null;
  const text = Buffer.from(`${talk.data.join('\r\n')}\r\n`, 'latin1').toString('utf8');
  const { from, to, encrypted, user } = talk;
  state.taken.push({ from: from!, to, text, encrypted, user });
  Object.assign(talk, { from: null, to: [] });
  switch (state.fault) {
    case 'drops_after_dot':
      talk.next = 'drop';
      return null;
    case 'silent_after_dot':
      return null;
    case 'refuses_after_data':
      return '554 5.7.1 content refused';
    case 'busy_after_data':
      return '451 4.3.0 try again';
    default:
      return '250 2.0.0 taken';
  }
}

function beginLogin(line: string, talk: Conversation, state: SmtpStandIn, options: StandInOptions): string {
  const [, method = '', initial] = line.split(' ');
  if (method.toUpperCase() === 'LOGIN') {
    talk.awaits = 'user';
    return '334 VXNlcm5hbWU6';
  }
  talk.awaits = 'plain';
  return initial === undefined ? '334 ' : takeSecret(initial, talk, state, options);
}

function takeSecret(
  line: string,
  talk: Conversation,
  { fault }: SmtpStandIn,
  { login }: StandInOptions,
): string {
  const text = Buffer.from(line, 'base64').toString('utf8');
  if (talk.awaits === 'user') {
    talk.givenUser = text;
    talk.awaits = 'password';
    return '334 UGFzc3dvcmQ6';
  }
  const [, user, password] = talk.awaits === 'plain' ? text.split('\0') : ['', talk.givenUser, text];
  talk.awaits = null;
  const right = fault !== 'wrong_password' && user === login?.user && password === login?.password;
  if (!right) return '535 5.7.8 authentication failed';
  talk.user = user!;
  return '235 2.7.0 welcome';
}
