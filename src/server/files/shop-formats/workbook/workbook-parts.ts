import { MAX_SHOWN_DECIMALS, toLetters } from './sheet-text'

// The parts of a workbook as ECMA-376 names them. They are the same for the same rows, byte by byte.

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** A sheet that has been written. */
export interface WrittenSheet {
  /** With the header. */
  rowCount: number
  columnCount: number
}

export const sheetPath = (sheet: number) => `xl/worksheets/sheet${sheet}.xml`

/** What comes before the rows of a sheet: the header stays in view. */
export function sheetStart(widths: readonly number[]): string {
  const columns = widths.map(
    (width, column) =>
      `<col min="${column + 1}" max="${column + 1}" width="${width}" customWidth="1"/>`,
  )
  const listed = columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''
  return (
    `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A2" sqref="A2"/>' +
    `</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>${listed}<sheetData>`
  )
}

/** What comes after them: the filter, and that numbers as texts are meant so. */
export function sheetEnd(sheet: WrittenSheet): string {
  const range = toRange(sheet)
  const marks = range
    ? `<autoFilter ref="${range}"/><ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/></ignoredErrors>`
    : ''
  return `</sheetData>${marks}</worksheet>`
}

const toRange = ({ rowCount, columnCount }: WrittenSheet) =>
  columnCount > 0 ? `A1:${toLetters(columnCount - 1)}${rowCount}` : undefined

/** The parts before the sheets, by which programs recognise a workbook. */
export const firstParts = (): [path: string, text: string][] => [
  ['[Content_Types].xml', contentTypes()],
  [
    '_rels/.rels',
    `${HEAD}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${TYPES}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  ['xl/styles.xml', styles()],
]

/** The parts after the sheets. */
export const lastParts = (sheets: readonly WrittenSheet[]): [path: string, text: string][] => [
  ['xl/workbook.xml', workbook(sheets)],
  ['xl/_rels/workbook.xml.rels', workbookRelations(sheets)],
]

const nameOf = (sheet: number) => (sheet === 1 ? 'Inventory' : `Inventory ${sheet}`)

function workbook(sheets: readonly WrittenSheet[]): string {
  const listed = sheets.map(
    (_, place) =>
      `<sheet name="${nameOf(place + 1)}" sheetId="${place + 1}" r:id="rId${place + 1}"/>`,
  )
  const filters = sheets.flatMap((sheet, place) => {
    const range = toRange(sheet)?.replace(/([A-Z]{1,3})(\d{1,7})/g, '$$$1$$$2')
    const text = `'${nameOf(place + 1)}'!${range}`
    return range
      ? `<definedName name="_xlnm._FilterDatabase" localSheetId="${place}" hidden="1">${text}</definedName>`
      : []
  })
  const names = filters.length > 0 ? `<definedNames>${filters.join('')}</definedNames>` : ''
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${TYPES}"><bookViews><workbookView/></bookViews><sheets>${listed.join('')}</sheets>${names}</workbook>`
}

function workbookRelations(sheets: readonly WrittenSheet[]): string {
  const listed = sheets.map(
    (_, place) =>
      `<Relationship Id="rId${place + 1}" Type="${TYPES}/worksheet" Target="worksheets/sheet${place + 1}.xml"/>`,
  )
  return `${HEAD}<Relationships xmlns="${RELATIONS}">${listed.join('')}<Relationship Id="rId${sheets.length + 1}" Type="${TYPES}/styles" Target="styles.xml"/></Relationships>`
}

/** It is the first part, when nobody knows how many sheets there will be: whatever is not named is a sheet. */
function contentTypes(): string {
  const listed = [
    ['workbook', 'sheet.main'],
    ['styles', 'styles'],
  ].map(
    ([name, type]) => `<Override PartName="/xl/${name}.xml" ContentType="${CONTENT}.${type}+xml"/>`,
  )
  return `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${CONTENT}.worksheet+xml"/>${listed.join('')}</Types>`
}

/** Excel's own formats of numbers: whole ones, and with two decimals; then those of the workbook. */
const BUILT_IN: Record<number, number> = { 0: 1, 2: 2 }
const TEXT_FORMAT = 49
const OWN_FORMATS = 164

/** The styles that `sheet-text.ts` counts on: plain, header, text, and numbers by their decimals. */
function styles(): string {
  const decimals = Array.from({ length: MAX_SHOWN_DECIMALS + 1 }, (_, count) => count)
  const own = decimals.filter((count) => BUILT_IN[count] === undefined)
  const formats = own.map(
    (count) => `<numFmt numFmtId="${OWN_FORMATS + count}" formatCode="0.${'0'.repeat(count)}"/>`,
  )
  const cell = (format: number, font = 0) =>
    `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"${font > 0 ? ' applyFont="1"' : ''}/>`
  const cells = [
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
    cell(TEXT_FORMAT, 1),
    cell(TEXT_FORMAT),
    ...decimals.map((count) => cell(BUILT_IN[count] ?? OWN_FORMATS + count)),
  ]
  return (
    `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">${formats.join('')}</numFmts>` +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  )
}
