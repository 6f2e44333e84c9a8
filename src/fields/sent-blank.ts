/** What JSON Schema's patterns call white space, as far as any sender of ours writes it. */
export const SPACE = '[\\t-\\r ]*';

/** A text of white space only, which means "not given". */
export const BLANK = `^${SPACE}$`;
