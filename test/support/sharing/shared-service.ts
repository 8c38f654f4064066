// One service with default settings for all files of a folder that use only their own business. A file needs a separate service
// if it counts records of all businesses, changes shared data such as rates, vendors or fees, or stops the service.
import { createDatabase } from '../database.ts';
import {
  forBusiness,
  type OpenedTestService,
  openTestService,
  startTestService,
  type TestBusiness,
  type TestService,
} from '../service.ts';
import { isSharing, openShared } from './file-group.ts';

/** Test files run faster one after another than the normal limits per client allow. */
const ROOM = {
  AUTH_FAILURES_PER_MINUTE: '100000',
  PUBLIC_RATE_LIMIT_PER_SECOND: '100000',
  PUBLIC_RATE_LIMIT_BURST: '100000',
};

interface Running extends OpenedTestService {
  readonly businesses: TestBusiness[];
}

let running: Promise<Running> | undefined;

/** The service that the files of a folder share, with a separate business for this file. */
export async function sharedTestService(): Promise<TestService> {
  if (!isSharing()) return startTestService();
  running ??= openShared(open);
  const opened = await running;
  const earlier = {
    businesses: opened.businesses.map(({ businessId }) => businessId),
    lines: opened.lines.length,
  };
  return forBusiness(opened, await opened.addBusiness('acme'), earlier);
}

async function open(): Promise<Running> {
  const { url, drop } = await createDatabase();
  const opened = await openTestService(ROOM, url);
  const businesses: TestBusiness[] = [];
  return {
    ...opened,
    businesses,
    addBusiness: async (linkTag) => {
      const isTaken = businesses.some((each) => each.linkTag === linkTag);
      const business = await opened.addBusiness(isTaken ? `${linkTag}-${businesses.length}` : linkTag);
      businesses.push(business);
      return business;
    },
    close: async () => {
      running = undefined;
      await opened.close();
      await drop();
    },
  };
}
