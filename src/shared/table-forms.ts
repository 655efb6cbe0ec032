/** How a source was compressed as a whole. */
export const COMPRESSIONS = ['none', 'gzip', 'zstd'] as const
export type Compression = (typeof COMPRESSIONS)[number]

/** What a table may come as. */
export const TABLE_FORMS = [
  'csv',
  'xlsx',
  'ods',
  'html',
  'spreadsheetml',
  'fods',
  'xml',
  'json',
  'ndjson',
] as const
export type TableForm = (typeof TABLE_FORMS)[number]

export const TABLE_FORM_LABELS: Record<TableForm, string> = {
  csv: 'CSV',
  xlsx: 'Excel workbook',
  ods: 'OpenDocument spreadsheet',
  html: 'HTML table',
  spreadsheetml: 'XML spreadsheet of Excel 2003',
  fods: 'OpenDocument spreadsheet (flat XML)',
  xml: 'XML',
  json: 'JSON',
  ndjson: 'JSON lines',
}

/** Those that consist of records, which are found by their names rather than by separators. */
export const DOCUMENT_FORMS = ['xml', 'json', 'ndjson'] as const
export type DocumentForm = (typeof DOCUMENT_FORMS)[number]

/** How a message begins that says why such a file cannot be read. */
export const documentNamed = (form: DocumentForm): string => `The ${TABLE_FORM_LABELS[form]} file`
