// Writes the types of the SDK from the OpenAPI document.
import path from 'node:path';
import { writeGenerated } from './checks/generated-files.ts';
import { SDK_TYPES } from './checks/sdk-types.ts';

await writeGenerated(path.dirname(import.meta.dirname), SDK_TYPES);
