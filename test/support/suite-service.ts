import { afterAll, beforeAll } from '@jest/globals';
import { type Service, startService } from './service.ts';

/** A service for the tests around this call: started before the first, closed after the last. */
export function suiteService(cacheBytes?: number): Service {
  let started: Service;
  beforeAll(async () => {
    started = await startService(cacheBytes);
  });
  afterAll(() => started?.close());
  return {
    get url() {
      return started.url;
    },
    get log() {
      return started.log;
    },
    post: (...asked) => started.post(...asked),
    get: (...asked) => started.get(...asked),
    send: (...asked) => started.send(...asked),
    close: () => started.close(),
  };
}
