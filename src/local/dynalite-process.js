// A DynamoDB on 127.0.0.1, in a process of its own: in ours it would block the event loop.
// Ends with its parent, however that ends: the channel between them closes.
import dynalite from 'dynalite';

const [path] = process.argv.slice(2);
const server = dynalite({ path, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));
// Ctrl-C goes to the whole group; requests that are under way still need the data.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('disconnect', () => process.exit());
