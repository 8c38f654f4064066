// The control port of the local banks: JSON in, JSON out. A request that cannot be carried out is a 400 that says why.
import type { Books } from '../books/books.ts';
import type { Faults } from '../faults/faults.ts';
import { type Answer, type BankRequest, listen, type RunningServer, read, reply } from '../http/server.ts';
import type { Actions } from './actions.ts';
import { overviewOf } from './overview.ts';
import { BadRequest, type Fields, faultOf } from './requests.ts';

export interface Controlled {
  readonly books: Books;
  readonly faults: Faults;
  readonly actions: Actions;
  /** What this run offers, for GET /. */
  about(): unknown;
}

type Handler = (fields: Fields, params: readonly string[]) => unknown;

export function startControl(controlled: Controlled, port: number): Promise<RunningServer> {
  const routes = routesOf(controlled);
  return listen(async (incoming, response) => {
    const given = await answer(routes, await read(incoming));
    if (typeof given.body !== 'string') return reply(response, given);
    response.writeHead(given.status, { 'content-type': 'text/csv; charset=utf-8' });
    response.end(given.body);
  }, port);
}

function routesOf({ books, faults, actions, about }: Controlled): readonly (readonly [RegExp, Handler])[] {
  return [
    [/^GET \/$/, about],
    [/^GET \/books$/, () => overviewOf(books)],
    [
      /^GET \/statements\/(\w+)\/(\d+)(?:\/([\d-]+)\/([\d-]+))?$/,
      (_, [rail, number, from, to]) => actions.statement({ rail, number, from, to }),
    ],
    [/^GET \/faults$/, () => faults.list()],
    [/^POST \/faults$/, (fields) => ({ id: faults.set(faultOf(fields)) })],
    [/^DELETE \/faults$/, () => cleared(faults)],
    [/^DELETE \/faults\/([\w-]+)$/, (_, [id]) => cleared(faults, id)],
    [/^POST \/pay-in$/, actions.payIn],
    [/^POST \/reverse$/, actions.reverse],
    [/^POST \/take-back$/, actions.takeBack],
    [/^POST \/top-up$/, actions.topUp],
    [/^POST \/accounts$/, actions.setAccount],
    [/^PUT \/webhooks$/, actions.setWebhooks],
    [/^PUT \/validation$/, actions.setValidation],
  ];
}

function cleared(faults: Faults, id?: string): unknown {
  faults.clear(id);
  return faults.list();
}

async function answer(
  routes: readonly (readonly [RegExp, Handler])[],
  { method, path, json }: BankRequest,
): Promise<Answer> {
  for (const [pattern, handle] of routes) {
    const match = pattern.exec(`${method} ${path}`);
    if (match === null) continue;
    try {
      return { status: 200, body: await handle(json, match.slice(1)) };
    } catch (error) {
      if (error instanceof BadRequest) return { status: 400, body: { error: error.message } };
      throw error;
    }
  }
  return { status: 404, body: { error: `There is no ${method} ${path}. GET / lists what there is.` } };
}
