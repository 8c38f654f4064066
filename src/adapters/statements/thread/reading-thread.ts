// The program of the thread that reads one statement file.
import { parentPort, workerData } from 'node:worker_threads';
import { openStatementFile } from '../readers.ts';
import type { ThreadTask } from './messages.ts';
import { serveReading } from './serve-reading.ts';

const choice = workerData as ThreadTask;
await serveReading(parentPort!, (bytes) => openStatementFile(bytes, choice));
