// The mails of the queue as people read them. Their text is shown in the sandbox alone: elsewhere its links would let the reader
// act as the person they were sent to.
import { ok, type Result } from '../../domain/values/result.ts';
import type { StoredMail } from '../../ports/mail.ts';
import { type MembershipDeps, mayAct, notAllowed, type Refused } from './membership-deps.ts';

const LIMIT = 200;

export async function listMails(
  deps: MembershipDeps,
  actor: string,
): Promise<Result<readonly StoredMail[], Refused<'not_allowed'>>> {
  if (!(await mayAct(deps, actor, { operator: 'people.read' }))) return notAllowed();
  const mails = await deps.mails.list(LIMIT);
  return ok(deps.sandbox ? mails : mails.map((mail) => ({ ...mail, body: null })));
}
