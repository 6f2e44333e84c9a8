/**
 * Slack's bounds by its reference (docs.slack.dev, read in November 2026): blocks of a message,
 * characters of a section, cells of a data table with its header. Where it gives no number, the
 * bound is ours, well below what Slack was seen to take.
 */
export const SLACK_LIMITS = {
  blocks: 50,
  sectionCharacters: 3000,
  /** Slack advises at most 20. */
  attachments: 20,
  tableRows: 101,
  tableColumns: 20,
  tableCharacters: 10_000,
  /** Our bound on the text that replaces a message where blocks are not shown. */
  fallbackCharacters: 1000,
  /** Our bounds: a row of 20 such cells under 20 such titles still fits in a table. */
  cellCharacters: 300,
  titleCharacters: 100,
} as const;
