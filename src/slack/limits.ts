/**
 * What Slack takes, as its reference says (docs.slack.dev, read in November 2026): blocks of a
 * message, characters of a section, cells of a data table with its header. Where it gives no
 * number, ours, which is well below what was seen to be taken.
 */
export const SLACK_LIMITS = {
  blocks: 50,
  sectionCharacters: 3000,
  /** Slack asks for no more than 20. */
  attachments: 20,
  tableRows: 101,
  tableColumns: 20,
  tableCharacters: 10_000,
  /** Ours: of the text that stands in for a message where blocks are not shown. */
  fallbackCharacters: 1000,
  /** Ours: 20 such cells under 20 such titles are still a table. */
  cellCharacters: 300,
  titleCharacters: 100,
} as const;
