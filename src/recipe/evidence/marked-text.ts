import { withoutTextMark } from '../../values/spelled-number.ts';
import { type CellEvidence, type SeenCell, seenCell } from './column-decision.ts';
import { type DoubtedReading, Kind, type SeenColumn } from './kind.ts';

/** Codes with the apostrophe by which spreadsheets keep their zeros: `'0111`. */
export class MarkedTextKind extends Kind<MarkedTextEvidence> {
  constructor(column: SeenColumn) {
    super(column, () => new MarkedTextEvidence());
  }

  readings(): DoubtedReading[] {
    const { first } = this.best.evidence;
    if (first === undefined) return [];
    const why = 'has codes after an apostrophe, as spreadsheets keep them';
    const spelling = { apostrophe: true } as const;
    return [{ type: 'text', spelling, why, deciding: [first], signed: first, given: {} }];
  }
}

class MarkedTextEvidence implements CellEvidence {
  /** The first cell that is no year such as '97. */
  first?: SeenCell;

  add(text: string, line: number): string | undefined {
    const code = withoutTextMark(text);
    if (code === undefined) return 'has no apostrophe before it';
    if (!/^\d\d$/.test(code)) this.first ??= seenCell(text, line);
    return undefined;
  }
}
