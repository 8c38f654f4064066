// Writes the dashboard's types from the OpenAPI document of the console.
import path from 'node:path';
import { CONSOLE_TYPES } from './checks/console-types.ts';
import { writeGenerated } from './checks/generated-files.ts';

await writeGenerated(path.dirname(import.meta.dirname), CONSOLE_TYPES);
