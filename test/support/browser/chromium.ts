// A real Chromium for tests and screenshots: the one of the system, never downloaded. Where there is none, browser tests are
// skipped and say how to install it.
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM } from './chromium-path.ts';

/** For the option `skip` of a test. */
export const WITHOUT_CHROMIUM =
  CHROMIUM === undefined
    ? 'there is no Chromium here. Install it (Debian: apt-get install chromium), or name it in CHROMIUM_PATH'
    : false;

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM!,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Chromium does not sandbox itself for root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}
