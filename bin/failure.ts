/**
 * A failure in one line: what to do about it or, if it is our fault, how to see more. `failed` says
 * what did not come about.
 */
export function failureLine(failed: string, error: unknown): string {
  if (!(error instanceof Error) || isOurs(error)) {
    return `${failed}, by a fault of its own: ${firstLine(String(error))}. --debug shows where.`;
  }
  return `${failed}: ${reasonOf(error)}`;
}

/** Errors that Node makes of faulty code; what we throw for people is none of these. */
function isOurs(error: Error): boolean {
  const faults = [TypeError, RangeError, ReferenceError, SyntaxError];
  return errno(error) === undefined && faults.some((fault) => error instanceof fault);
}

/** An error of the system: what it did not do, and where. */
type SystemError = NodeJS.ErrnoException & {
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
  /** Of a copy, or a renaming. */
  readonly dest?: string;
};

function errno(error: Error): SystemError | undefined {
  const { code, syscall } = error as SystemError;
  return typeof code === 'string' && typeof syscall === 'string' ? error : undefined;
}

function reasonOf(error: Error): string {
  const system = errno(error);
  const { code = '', syscall, address, port, hostname, path: from, dest } = system ?? {};
  if (system !== undefined) {
    const place = port === undefined ? address : `${address}:${port}`;
    if (code === 'EADDRINUSE') {
      return `${place} is in use; stop what listens there, or choose another by --port.`;
    }
    if (syscall === 'listen') {
      return `cannot listen on ${place} (${code}); set HOST or PORT.`;
    }
    if (hostname !== undefined) {
      const fix = hostname === process.env.HOST ? '; set HOST to an address of this one' : '';
      return `no machine is called ${JSON.stringify(hostname)} (${code})${fix}.`;
    }
    const file = dest ?? from;
    const said = SAID[code as keyof typeof SAID];
    if (said !== undefined) return `${said}${file === undefined ? '' : `: ${file}`} (${code}).`;
  }
  const { cause } = error;
  const told = firstLine(error.message);
  const inner = cause instanceof Error ? firstLine(cause.message) : '';
  return told.includes(inner) ? told : `${told} (${inner})`;
}

/** What people can see to: the disk, permissions, what is where, and the network. */
const SAID = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'no space is left in the quota of the disk',
  EFBIG: 'a file would be larger than this process may write',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the disk can only be read',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'this is a folder',
  EEXIST: 'this is there already',
  ENOTEMPTY: 'this is there already',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk fails',
  ECONNREFUSED: 'nobody answers there',
  ECONNRESET: 'the connection was cut',
  ETIMEDOUT: 'no answer in time',
} as const;

function firstLine(text: string): string {
  return text.split('\n', 1)[0] as string;
}
