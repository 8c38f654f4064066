// The mails of the sandbox, the newest first.
import { call, element, show } from './console.js';

const LINK = /https?:\/\/[^\s]+/;

async function load() {
  const { mails } = await call('GET', '/operator/mails');
  element('list').replaceChildren(...mails.map(card));
  element('none').hidden = mails.length > 0;
  show('loaded');
}

function card({ recipient, subject, created_at: at, state, body }) {
  const article = make('article', { className: 'panel' });
  const head = make('div', { className: 'row' });
  head.append(make('h2', { textContent: subject }), make('span', { className: 'quiet', textContent: state }));
  const when = new Date(at).toLocaleString('en-GB', { timeZone: 'Africa/Lagos' });
  const line = make('p', { className: 'quiet', textContent: `To ${recipient}, ${when} Lagos time` });
  article.append(head, line, text(body));
  return article;
}

/** Text alone, whatever is in it; the link of this service can be followed. */
function text(body) {
  const place = make('pre', { textContent: body ?? 'The text is not kept any more.' });
  const link = LINK.exec(body ?? '')?.[0];
  if (link === undefined || !link.startsWith(`${location.origin}/`)) return place;
  const [before, after] = body.split(link);
  place.replaceChildren(before, make('a', { href: link, textContent: link }), after);
  return place;
}

function make(tag, properties) {
  return Object.assign(document.createElement(tag), properties);
}

element('again').addEventListener('click', () => location.reload());

load().catch((error) => {
  if (error.code === 'not_signed_in') location.assign('/app/sign-in');
  element('why').textContent = error.message;
  show('refused');
});
