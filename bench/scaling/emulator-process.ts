import { startEmbeddedDynamodb } from '../../src/local/embedded-dynamodb.ts';

// A DynamoDB in a process of its own, so that what it computes is not measured. It ends with its
// parent: the channel between them closes.
process.on('disconnect', () => process.exit());

const { endpoint } = await startEmbeddedDynamodb();
process.send?.(endpoint);
