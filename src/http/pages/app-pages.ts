// The first pages for people: sign-in, invitation, new password, and the mails of the sandbox. Small, without a framework,
// under a strict policy; every text from outside is set as text.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { makePage, type Page } from './page-headers.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const FILES = [
  'app.css',
  'console.js',
  'enrol.js',
  'sign-in.js',
  'invitation.js',
  'reset-password.js',
  'mails.js',
] as const;

/** The pages by path. */
export async function appPages(): Promise<ReadonlyMap<string, Page>> {
  const pages = new Map<string, Page>();
  for (const [name, { title, body, wide = false }] of Object.entries(PAGES))
    pages.set(`/app/${name}`, await makePage(html(name, title, body, wide), headers('text/html')));
  for (const name of FILES) {
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    const content = await readFile(path.join(import.meta.dirname, 'app', name));
    pages.set(`/app/static/${name}`, await makePage(content, headers(type)));
  }
  return pages;
}

function headers(type: string): Record<string, string> {
  return {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-cache',
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  };
}

function html(name: string, title: string, body: string, wide: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Sliproad</title>
<link rel="stylesheet" href="/app/static/app.css">
<script type="module" src="/app/static/${name}.js"></script>
</head>
<body>
<main${wide ? ' class="wide"' : ''}>
<h1>${title}</h1>
<noscript><p class="wrong">This page needs JavaScript.</p></noscript>
${body}
</main>
</body>
</html>
`;
}

const WRONG = '<p class="wrong" role="alert"></p>';
const loading = (text: string) => `<p class="quiet" data-part id="loading" aria-live="polite">${text}</p>`;
const refused = `<div class="panel" data-part id="refused" hidden><p class="wrong" id="why" role="alert"></p>
<p><a href="/app/sign-in">Go to the sign-in</a></p></div>`;
const code = (label: string) =>
  `<label>${label}<input name="code" required autocomplete="one-time-code" maxlength="30" spellcheck="false"></label>`;
const newPassword = `<label>Password, at least 12 characters<input name="password" type="password" required
autocomplete="new-password" maxlength="128"></label>`;

const ENROL = `<form class="panel" data-part id="enrol" hidden>
<p>Add this secret to an authenticator application, then type the code that it shows.</p>
<p class="secret" id="secret"></p>
<p><a id="uri" href="#">Open it in an application on this device</a></p>
${code('Code')}${WRONG}<button>Confirm code</button></form>
<div class="panel" data-part id="recovery" hidden>
<p>These recovery codes are shown once. Each signs you in once when you have lost your authenticator. Store them now.</p>
<ul class="codes secret" id="codes"></ul><button id="kept" type="button">I have stored them</button></div>`;

interface AppPage {
  readonly title: string;
  readonly body: string;
  readonly wide?: boolean;
}

const PAGES: Readonly<Record<string, AppPage>> = {
  'sign-in': {
    title: 'Sign in',
    body: `${loading('Loading…')}
<form class="panel" data-part id="password" hidden>
<label>E-mail address<input name="email" type="email" required autocomplete="username" maxlength="254"></label>
<label>Password<input name="password" type="password" required autocomplete="current-password" maxlength="1000"></label>
${WRONG}<button>Continue</button>
<p><a href="/app/reset-password">Forgot your password?</a></p>
<p class="or" id="provider" hidden><a class="button" id="to-provider" href="#">Sign in with your identity provider</a></p></form>
<form class="panel" data-part id="factor" hidden>${code('Code of your authenticator, or a recovery code')}
${WRONG}<button>Sign in</button></form>
${ENROL}
<div class="panel" data-part id="signed-in" hidden><p>You are signed in as <strong id="who"></strong>.</p>
<p id="mails"><a href="/app/mails">Read the mails of the sandbox</a></p>
<button class="plain" id="sign-out" type="button">Sign out</button></div>`,
  },
  invitation: {
    title: 'Invitation',
    body: `${loading('Reading the invitation…')}
<form class="panel" data-part id="accept" hidden><p class="to"></p>
<label>Your name<input name="name" required autocomplete="name" maxlength="100"></label>${newPassword}
${WRONG}<button>Accept invitation</button></form>
<form class="panel" data-part id="join" hidden><p class="to"></p>${WRONG}<button>Accept invitation</button></form>
<div class="panel" data-part id="sign-in-first" hidden><p class="to"></p>
<p>A person with this address exists. <a href="/app/sign-in">Sign in</a>, then open the link in the mail again.</p></div>
${ENROL}
<div class="panel" data-part id="joined" hidden><p>The invitation is accepted, and you are signed in.</p>
<p><a href="/app/sign-in">Continue</a></p></div>
${refused}`,
  },
  'reset-password': {
    title: 'New password',
    body: `${loading('Loading…')}
<form class="panel" data-part id="ask" hidden>
<p>A link for a new password goes to your e-mail address. You still need your second factor after that.</p>
<label>E-mail address<input name="email" type="email" required autocomplete="username" maxlength="254"></label>
${WRONG}<button>Send link</button></form>
<div class="panel" data-part id="asked" hidden>
<p>If a person has this address, the link is on its way. It works once, for one hour.</p>
<p><a href="/app/sign-in">Go to the sign-in</a></p></div>
<form class="panel" data-part id="reset" hidden>${newPassword}${WRONG}<button>Set password</button>
<p><a href="/app/reset-password">Ask for a new link</a></p></form>
<div class="panel" data-part id="done" hidden><p>The password is set, and all sessions have ended.</p>
<p><a href="/app/sign-in">Sign in</a></p></div>`,
  },
  mails: {
    title: 'Mails of the sandbox',
    wide: true,
    body: `<p class="quiet">The sandbox sends no mail: it shows here what it would send.</p>
${loading('Loading the mails…')}
<div data-part id="loaded" hidden><p><button class="plain" id="again" type="button">Read again</button></p>
<div id="list"></div><p class="panel quiet" id="none">No mail yet. An invitation or a sign-up makes the first one.</p></div>
${refused}`,
  },
};
