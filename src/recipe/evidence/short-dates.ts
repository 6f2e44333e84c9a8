/** A part of a date that looks like a number with decimals. */
type Form = { readonly of: RegExp };

const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const MONTH = '(?:0?[1-9]|1[0-2])';
const FORMS: readonly Form[] = [
  { of: new RegExp(`^${DAY}\\.(${MONTH})$`) },
  { of: new RegExp(`^(${MONTH})\\.${DAY}$`) },
  // 1871.1 is October beside 1871.01. Half of a year is 1871.5 in each row.
  { of: new RegExp(`^(?:1[5-9]|20)\\d\\d\\.(${MONTH})$`) },
];

/** Collects whether a column's numbers are days with months, or years with months: 3.2, 1871.01. */
export class ShortDateEvidence {
  private fitting = FORMS;
  private readonly months = new Set<string>();

  /** Takes a number as it is written. */
  add(text: string): void {
    this.fitting = this.fitting.filter(({ of }) => of.test(text));
    const [month] = this.fitting.map(({ of }) => of.exec(text)?.[1] as string);
    if (month !== undefined) this.months.add(month);
  }

  /** Whether all are, in several months. Without a tenth month, most numbers of one decimal are. */
  get areAll(): boolean {
    return this.fitting.length > 0 && this.months.size > 1;
  }

  get haveLateMonths(): boolean {
    return this.areAll && [...this.months].some((month) => /^(?:0|1\d)/.test(month));
  }
}
