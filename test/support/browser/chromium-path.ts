// Where the Chromium of the system is; undefined where there is none.
import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
export const CHROMIUM = process.env.CHROMIUM_PATH ?? PLACES.find((place) => existsSync(place));
