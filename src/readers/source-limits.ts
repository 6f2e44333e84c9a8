/** Columns of a table: more are likely data in members' names, as in `{ "<id>": … }`. */
export const MAX_COLUMNS = 2_000;

/** Characters of one JSON record: outlines of a coast take some millions. */
export const MAX_RECORD = 16_000_000;

/** Levels of objects that become columns `a.b.c`; what lies below stays JSON text. */
export const MAX_LEVELS = 8;

/** Levels of a JSON value that stays text. */
export const MAX_DEPTH = 100;
