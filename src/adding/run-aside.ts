import { inTemporaryFolder, removeLeftBehind } from './own-folder.ts';
import { EXIT, isForUser, type Terminal } from './terminal.ts';

/**
 * Runs a command with a temporary folder, after it has removed what a killed one left there and in
 * the folder of the blocks; prints what is refused. Returns the exit code.
 */
export async function runAside(
  { err }: Pick<Terminal, 'err'>,
  blocks: string | undefined,
  run: (folder: string) => Promise<number>,
): Promise<number> {
  await removeLeftBehind(blocks);
  try {
    return await inTemporaryFolder(run);
  } catch (error) {
    if (!isForUser(error)) throw error;
    err(error.message);
    return EXIT.refused;
  }
}
