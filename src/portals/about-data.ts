import type { DatasetBlock } from '../block/block.ts';
import type { Manifest } from '../block/manifest.ts';
import { numberText } from '../text/wording.ts';
import { licenseAddress, licenseTitle } from './record.ts';

/** What a workbook tells of its data: the title, the version, where they are from and the terms. */
export function aboutData(
  { title, description, origin }: DatasetBlock,
  manifest: Manifest,
): (readonly [name: string, text: string])[] {
  const { mended = 0, setAside = 0 } = manifest.badRows ?? {};
  const { url, license: terms, ...source } = manifest.source;
  const { sources, licenses = [] } = origin ?? {
    sources: [{ ...source, path: url }],
    licenses: terms === undefined ? [] : [{ title: terms }],
  };
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Title', title],
    ['Description', description],
    ['Version', manifest.version],
    ['Rows of this version', numberText(manifest.rows)],
    ['Rows of its file that could not be read', setAside > 0 ? numberText(setAside) : undefined],
    ['Rows of its file that were mended', mended > 0 ? numberText(mended) : undefined],
    ...sources.flatMap(({ title: name, publisher, path, date, changes }) => [
      ['Source', name] as const,
      ['Publisher', publisher] as const,
      ['Address', path] as const,
      ['Date', date] as const,
      ['Changes', changes] as const,
    ]),
    ...licenses.flatMap((license) => [
      ['Licence', licenseTitle(license)] as const,
      ['Terms', licenseAddress(license)] as const,
    ]),
  ];
  return facts.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]));
}
