/** What separates the cells of a row, the commoner ones first; a blank stands for runs of them. */
export const DELIMITERS = [',', ';', '\t', '|', '~', '^', ':', ' '] as const
export type Delimiter = (typeof DELIMITERS)[number]

/** The usual name of each delimiter, for people. */
export const DELIMITER_LABELS: Record<Delimiter, string> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Pipe',
  '~': 'Tilde',
  '^': 'Caret',
  ':': 'Colon',
  ' ': 'Blanks',
}
