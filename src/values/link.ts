import { parseUrl } from '../text/path.ts';
import type { TextType } from './field-type.ts';
import { text } from './text.ts';

/** Web addresses, http and https only; filtered like text. */
export const link: TextType = {
  ...text,
  noun: 'an address that begins with https:// or http://',
  format: 'uri',
  readCell: (cell) => (isWebAddress(cell) ? cell : undefined),
  shape: {
    testFor: () => isWebAddress,
    why: 'has web addresses',
    whyNot: 'is no web address',
  },
  hrefOf: (value) => (typeof value === 'string' && isWebAddress(value) ? value : undefined),
};

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(text) && parseUrl(text) !== undefined;
}
