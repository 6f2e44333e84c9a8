/** White space in the JSON Schema patterns, limited to what senders actually write. */
export const SPACE = '[\\t-\\r ]*';

/** Text of white space only, which counts as not given. */
export const BLANK = `^${SPACE}$`;
