import { DOCUMENTED_SECRET, SLACK_SECRET } from '../../slack/signed-request.ts';
import { startOwnStore } from '../own-service.ts';
import { PATHS } from '../service.ts';

// The services that suites share, over one store. They end with who started them, however that
// ends: the channel between them closes.
process.on('disconnect', () => process.exit());

const store = await startOwnStore();
const addresses: [string, string][] = [];
for (const [name, cacheBytes] of PATHS) {
  const settings = { slackSecrets: async () => [SLACK_SECRET, DOCUMENTED_SECRET] };
  addresses.push([name, (await store.serve(cacheBytes, settings)).url]);
}
process.send?.(Object.fromEntries(addresses));
