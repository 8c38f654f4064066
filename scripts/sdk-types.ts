// Writes the types of the SDK, made from the OpenAPI document.
import path from 'node:path';
import { write } from './checks/generated.ts';
import { SDK_TYPES } from './checks/sdk-types.ts';

await write(path.dirname(import.meta.dirname), SDK_TYPES);
