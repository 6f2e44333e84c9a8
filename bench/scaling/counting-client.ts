import type { DynamoDBClient, QueryCommandOutput } from '@aws-sdk/client-dynamodb';

export type Counted = { pages: number; items: number; capacityUnits: number };

/**
 * Counts every Query that a client sends, also those that nobody waits for any more: they are
 * billed. `settled` resolves when none is under way.
 */
export function countQueries(client: DynamoDBClient) {
  let counted: Counted = { pages: 0, items: 0, capacityUnits: 0 };
  const underWay = new Set<Promise<unknown>>();
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const sent = next(args);
      if (context.commandName !== 'QueryCommand') return sent;
      // Not what it resolves to: that would stay in memory.
      underWay.add(
        sent.then(
          () => {},
          () => {},
        ),
      );
      counted.pages++;
      const { output } = await sent;
      const { ScannedCount = 0, ConsumedCapacity } = output as QueryCommandOutput;
      counted.items += ScannedCount;
      counted.capacityUnits += ConsumedCapacity?.CapacityUnits ?? 0;
      return { output } as Awaited<typeof sent>;
    },
    { step: 'initialize' },
  );
  return {
    /** What was counted since the last time, once nothing is under way. */
    take: async (): Promise<Counted> => {
      await Promise.all(underWay);
      underWay.clear();
      const taken = counted;
      counted = { pages: 0, items: 0, capacityUnits: 0 };
      return taken;
    },
  };
}
