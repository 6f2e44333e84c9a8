/** A kind of numbers that identify things, which their digits show. */
type Scheme = {
  /** The name of the kind, after `is`. */
  readonly name: string;
  readonly lengths: readonly number[];
  /** The numbers that prove it. A check digit that one in ten has by chance needs ten. */
  readonly least?: number;
  readonly isRight: (digits: readonly number[]) => boolean;
};

/** The known kinds. Numbers with leading zeros need none: they are texts anyway. */
const SCHEMES: readonly Scheme[] = [
  {
    // GS1 General Specifications, 7.9. It includes ISBN-13.
    name: 'a GTIN or ISBN',
    lengths: [8, 12, 13, 14],
    isRight: (digits) => weighed(digits, (fromEnd) => (fromEnd % 2 === 0 ? 1 : 3)) % 10 === 0,
  },
  {
    // ISO/IEC 7812-1, annex B.
    name: 'a SIREN, a SIRET, an IMEI or another number with a digit by Luhn',
    lengths: [9, 14, 15],
    isRight: (digits) => luhn(digits) % 10 === 0,
  },
  {
    // ISO 2108, before 2007.
    name: 'an ISBN of ten digits',
    lengths: [10],
    isRight: (digits) => weighed(digits, (fromEnd) => fromEnd + 1) % 11 === 0,
  },
  {
    // ABA Routing Number Policy: weights 3, 7, 1 from the left.
    name: 'an ABA routing number',
    lengths: [9],
    isRight: (digits) => weighed(digits, (fromEnd) => [1, 7, 3][fromEnd % 3] as number) % 10 === 0,
  },
  {
    // The North American Numbering Plan: area code and exchange begin with 2 to 9 and are not N11.
    name: 'a phone number of North America',
    lengths: [10],
    least: 40,
    isRight: (digits) => isArea(digits, 0) && isArea(digits, 3),
  },
];

function weighed(digits: readonly number[], weightOf: (fromEnd: number) => number): number {
  const last = digits.length - 1;
  return digits.reduce((sum, digit, i) => sum + digit * weightOf(last - i), 0);
}

function luhn(digits: readonly number[]): number {
  const last = digits.length - 1;
  return digits.reduce((sum, digit, i) => {
    if ((last - i) % 2 === 0) return sum + digit;
    return sum + (digit > 4 ? 2 * digit - 9 : 2 * digit);
  }, 0);
}

function isArea(digits: readonly number[], from: number): boolean {
  return (digits[from] as number) > 1 && !(digits[from + 1] === 1 && digits[from + 2] === 1);
}

/** A check digit is right by chance in one of ten numbers, so this many must all be right. */
const LEAST_RIGHT = 10;

/** Collects whether the digits of distinct numbers show that all identify things of one kind. */
export class ChecksumEvidence {
  private candidates = SCHEMES;
  private count = 0;

  /** Adds the next number's digits, without separators. */
  add(text: string): void {
    if (this.candidates.length === 0) return;
    this.count++;
    const fitting = this.candidates.filter(({ lengths }) => lengths.includes(text.length));
    const digits = fitting.length === 0 ? [] : Array.from(text, Number);
    this.candidates = fitting.filter(({ isRight }) => isRight(digits));
  }

  /** Whether all kinds are ruled out. */
  get isOver(): boolean {
    return this.candidates.length === 0;
  }

  /** Rules out all kinds, because a number is not whole. */
  ruleOut(): void {
    this.candidates = [];
  }

  /** The name of the kind, once there are enough numbers. */
  get found(): string | undefined {
    return this.candidates.find(({ least = LEAST_RIGHT }) => this.count >= least)?.name;
  }
}
