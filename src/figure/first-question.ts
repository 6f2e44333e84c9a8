import type { DatasetBlock } from '../block/block.ts';
import type { DatasetProfile, Manifest } from '../block/manifest.ts';
import type { ViewName } from '../block/views.ts';

export type FirstQuestion = {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly reason: string;
};

export function firstOf(
  block: DatasetBlock,
  _m: Manifest,
  _p?: DatasetProfile,
  _view?: ViewName,
): FirstQuestion {
  const date = block.fields.find(({ type }) => type === 'date' || type === 'datetime');
  const text = block.fields.find(({ type }) => type === 'text');
  if (_view !== 'map' && date)
    return { arguments: { _view: 'chart', _group: [`${date.name}.month`] }, reason: '' };
  if (_view !== 'chart' && block.geometry) return { arguments: { _view: 'map' }, reason: '' };
  if (text) return { arguments: { _view: 'chart', _group: [text.name] }, reason: '' };
  return { arguments: { _view: 'table' }, reason: '' };
}
