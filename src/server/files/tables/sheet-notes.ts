/** What suppliers are told of the cells of a workbook. */
export const SHEET_NOTES = {
  errors: 'Cells have an error of a formula, such as #N/A, which was read as text',
  formulas:
    'Formulas without a stored result were read as empty: open the file in Excel and save it',
  uncalculated:
    'Formulas may have a result that was never calculated: open the file in Excel and save it',
  longNumbers:
    'Numbers have more than 15 digits, of which Excel has damaged the last ones: give the column the format Text and enter them again',
  lostZeros:
    'Numbers have a format with leading zeros that the file does not show, and were read without them: save it in the program that you use for it',
  hiddenRows: 'Hidden rows of the sheet were read too',
  filter: 'The sheet has a filter, which was ignored: all of its rows were read',
} as const

const ERRORS = new Set('#N/A #REF! #VALUE! #DIV/0! #NAME? #NUM! #NULL! #SPILL! #CALC!'.split(' '))

/** Whether a text is an error as Excel shows it. */
export const isErrorText = (text: string): boolean => ERRORS.has(text)
