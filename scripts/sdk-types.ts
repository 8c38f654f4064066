// Writes the types of the SDK, made from the OpenAPI document.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeSdkTypes, SDK_TYPES_FILE } from './checks/sdk-types.ts';

const root = path.dirname(import.meta.dirname);
writeFileSync(path.join(root, SDK_TYPES_FILE), await makeSdkTypes(root));
