/** A kind of numbers that name things, which shows in their digits. */
type Scheme = {
  /** What they are called: `is …`. */
  readonly name: string;
  readonly lengths: readonly number[];
  /** How many numbers show it; a digit that one in ten has by chance needs ten. */
  readonly least?: number;
  readonly isRight: (digits: readonly number[]) => boolean;
};

/** Numbers of these kinds have no zero in front: those that do are texts anyway. */
const SCHEMES: readonly Scheme[] = [
  {
    // GS1 General Specifications, 7.9; ISBN-13 is one of them.
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
    // ABA Routing Number Policy: 3, 7, 1 from the left.
    name: 'an ABA routing number',
    lengths: [9],
    isRight: (digits) => weighed(digits, (fromEnd) => [1, 7, 3][fromEnd % 3] as number) % 10 === 0,
  },
  {
    // The North American Numbering Plan: area code and exchange begin with 2 to 9, and are no N11.
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

/** One in ten figures is right by chance, so all of so many must be. */
const LEAST_RIGHT = 10;

/** Collects whether the digits of distinct numbers show that all of them name things of one kind. */
export class ChecksumEvidence {
  private left = SCHEMES;
  private count = 0;

  /** Takes the digits of the next number, without anything between them. */
  add(text: string): void {
    if (this.left.length === 0) return;
    this.count++;
    const fitting = this.left.filter(({ lengths }) => lengths.includes(text.length));
    const digits = fitting.length === 0 ? [] : Array.from(text, Number);
    this.left = fitting.filter(({ isRight }) => isRight(digits));
  }

  /** A number that is not whole rules all kinds out. */
  ruleOut(): void {
    this.left = [];
  }

  /** What the numbers are, if there are enough of them. */
  get found(): string | undefined {
    return this.left.find(({ least = LEAST_RIGHT }) => this.count >= least)?.name;
  }
}
