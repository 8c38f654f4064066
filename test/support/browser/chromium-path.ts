// The path of the system's Chromium; undefined if there is none. The headless version needs a quarter less CPU time.
import { existsSync } from 'node:fs';

const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
export const CHROMIUM = process.env.CHROMIUM_PATH ?? PLACES.find((place) => existsSync(place));
