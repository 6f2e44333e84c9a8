import type { Hono } from 'hono/quick';
import type { Described } from '../core/describe-block.ts';
import type { CallBlock } from '../http/call-block.ts';
import { type AppSettings, type RunEnv, runApp } from '../http/run-app.ts';

export type McpDoor = { readonly blocks: readonly Described[]; readonly call: CallBlock };

/** The blocks as tools of the Model Context Protocol. */
export function mcpApp(_door: McpDoor, settings: AppSettings): Hono<RunEnv> {
  return runApp(settings, null);
}
