// What the pages share: one way to call the console, and to show what it answers.
let csrf = null;

/** Answers the body; throws the message of the refusal, which is written for people. */
export async function call(method, path, body) {
  let response;
  try {
    response = await fetch(`/console/v1${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(csrf !== null && { 'x-csrf-token': csrf }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Error('The service cannot be reached. Try again in a moment.');
  }
  const answer = await response.json();
  if (!response.ok) {
    const error = new Error(answer.message);
    error.code = answer.code;
    throw error;
  }
  if (answer.csrf_token !== undefined) csrf = answer.csrf_token;
  return answer;
}

export const element = (id) => document.getElementById(id);

/** Shows one part of the page and puts the keyboard into it. */
export function show(id) {
  for (const part of document.querySelectorAll('[data-part]')) part.hidden = part.id !== id;
  const part = element(id);
  (part.querySelector('input') ?? part.querySelector('button, a'))?.focus();
}

/** Runs what a form asks for: once at a time, with its refusal beside it. */
export function onSubmit(id, work) {
  const form = element(id);
  const button = form.querySelector('button');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.getAttribute('aria-busy') === 'true') return;
    button.setAttribute('aria-busy', 'true');
    say(form, '');
    try {
      await work(Object.fromEntries(new FormData(form)));
    } catch (error) {
      say(form, error.message);
      form.querySelector('input')?.select();
    } finally {
      button.removeAttribute('aria-busy');
    }
  });
}

export function say(form, message) {
  form.querySelector('.wrong').textContent = message;
}

/** What a link has after the #, which browsers send to no server. It is taken out of the address, and so out of the history. */
export function takeFromAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, '', location.pathname);
  return given;
}

/** The token of a link. */
export function tokenInAddress() {
  return takeFromAddress().get('token');
}

/** A browser that keeps no secure cookie here would sign in and be signed out again. */
export async function keptSession() {
  try {
    return await call('GET', '/session');
  } catch (error) {
    if (error.code !== 'not_signed_in') throw error;
    throw new Error(
      'This browser kept no session. Open the page over HTTPS, or at localhost with Chrome or Firefox.',
    );
  }
}
