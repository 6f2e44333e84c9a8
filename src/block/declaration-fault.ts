/** What is wrong with a block's declaration, and which of its members has it. */
export class DeclarationFault extends TypeError {
  readonly reason: string;
  /** The way to the member: `fields`, 2, `name`. */
  readonly at: readonly (string | number)[];

  constructor(block: string, reason: string, at: readonly (string | number)[]) {
    super(`Block ${block}: ${reason}`);
    this.reason = reason;
    this.at = at;
  }
}
