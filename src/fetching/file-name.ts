import type { IncomingHttpHeaders } from 'node:http';
import { headerText } from './header-text.ts';

const MOST_CHARACTERS = 100;

/**
 * The name that a server gives its file (RFC 6266), else its address's last part: a name in one
 * folder, for any file system.
 */
export function fileNameOf(headers: IncomingHttpHeaders, url: URL): string {
  const disposition = headerText(headers['content-disposition'] ?? '');
  const names = [
    extendedName(disposition),
    plainName(disposition),
    decoded(url.pathname.split('/').findLast((part) => part !== '') ?? ''),
  ];
  return names.map((name) => safeName(name ?? '')).find((name) => name !== '') ?? 'file';
}

/** `filename*=UTF-8''na%C3%AFve.csv` (RFC 8187). */
function extendedName(disposition: string): string | undefined {
  const encoded = /(?:^|;)\s*filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  return encoded === undefined ? undefined : decoded(encoded);
}

function plainName(disposition: string): string | undefined {
  const [, quoted, token] =
    /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? token;
}

function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const safe = last
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu, '')
    .replace(/^[\s.]+|[\s.]+$/gu, '');
  const ending = /\.\p{L}[\p{L}\p{N}]{0,9}$/u.exec(safe)?.[0] ?? '';
  const stem = safe.slice(0, safe.length - ending.length);
  return [...stem].slice(0, MOST_CHARACTERS - ending.length).join('') + ending;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
