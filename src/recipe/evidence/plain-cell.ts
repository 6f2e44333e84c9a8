import { plainNumberIn, pointIn } from '../../values/plain-number.ts';

/** A cell that is at hand as the codes of its characters. Its number is read once, if at all. */
export class PlainCell {
  codes: Uint16Array = new Uint16Array(0);
  start = 0;
  end = 0;
  private read: number | undefined;
  private pointed: boolean | undefined;

  /** Makes it another cell. */
  becomes(codes: Uint16Array, start: number, end: number): void {
    this.codes = codes;
    this.start = start;
    this.end = end;
    this.read = undefined;
    this.pointed = undefined;
  }

  /** The cell as a plain number, as `plainNumberIn` reads it. NaN if it is none. */
  get number(): number {
    this.read ??= plainNumberIn(this.codes, this.start, this.end);
    return this.read;
  }

  /** Whether a number is written with a point. */
  get hasPoint(): boolean {
    this.pointed ??=
      !Number.isInteger(this.number) || pointIn(this.codes, this.start, this.end) >= 0;
    return this.pointed;
  }
}
