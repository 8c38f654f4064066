// Provides a real Chromium for tests and screenshots. It must be installed; the tests never download it. If none is installed,
// browser tests are skipped with an install hint.

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { limitMs } from '../patience.ts';
import { afterFile } from '../sharing/file-group.ts';

// The path of the system's Chromium; undefined if there is none. The headless version needs a quarter less CPU time.

const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
export const CHROMIUM = process.env.CHROMIUM_PATH ?? PLACES.find((place) => existsSync(place));

export const WITHOUT_CHROMIUM =
  CHROMIUM === undefined
    ? 'there is no Chromium here. Install it (Debian: apt-get install chromium-headless-shell), or name it in CHROMIUM_PATH'
    : false;

/**
 * Chromium uses only the last list that it gets, so this list repeats what Playwright disables. It also disables the pages of
 * the address bar. Chromium would load them for every window, and they take as much time as a page of the console.
 */
const SWITCHED_OFF = [
  ...[
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'LensOverlay',
  ],
  ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  ...['PreconnectToSearch', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
];

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM!,
    timeout: limitMs('condition'),
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${SWITCHED_OFF.join(',')}`,
      // Chromium refuses to run its sandbox as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}

const KEPT_MS = 3_000;
let running: Promise<Browser> | undefined;
let borrowers = 0;
let ending: NodeJS.Timeout | undefined;

/**
 * Lends the only Chromium of this process. A test or file gives it back when it has ended, and each borrower has separate
 * windows.
 */
export function borrowChromium(): Promise<Browser> {
  clearTimeout(ending);
  borrowers++;
  afterFile(() => {
    borrowers--;
    if (borrowers === 0) ending = setTimeout(end, KEPT_MS);
  });
  running ??= launchChromium().then((browser) => browser.once('disconnected', forget));
  running.catch(forget);
  return running;
}

/** After the browser has exited or crashed, the next borrower gets a new browser. */
function forget(): void {
  running = undefined;
}

async function end(): Promise<void> {
  const ended = running;
  forget();
  await (await ended)?.close();
}
