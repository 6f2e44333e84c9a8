/**
 * A function in a process of its own, as Lambda runs it: imports the handler that the first
 * argument names, answers the events that it is sent, in order, and ends.
 */
const [, , handlerFile] = process.argv;

process.once('message', async (events: unknown[]) => {
  const { handler } = await import(handlerFile as string);
  const answers = [];
  for (const event of events) answers.push(await handler(event));
  process.send?.(answers, () => process.exit(0));
});
