// Where the Chromium of the system is; undefined where there is none. The one without windows needs a quarter less of the processor.
import { existsSync } from 'node:fs';

const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
export const CHROMIUM = process.env.CHROMIUM_PATH ?? PLACES.find((place) => existsSync(place));
