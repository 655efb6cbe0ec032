import type { Attributes } from './html-tags'

/** Collects the signs by which a page for people is told from a table for programs. */
export interface PageSigns {
  open(name: string, attributes: Attributes): void
  /** Whether people can enter something, as on pages to sign in and on those of shops. */
  hasFields(): boolean
  hasScripts(): boolean
  links(): number
  /** Whether a spreadsheet program has written the page, or another one in its way. */
  isOfSpreadsheet(): boolean
  /** Whether it shows other pages, which have the sheets of a workbook. */
  hasFrames(): boolean
}

const FIELDS = new Set(['select', 'textarea', 'button'])
const EXCEL_NAMES = 'urn:schemas-microsoft-com:office:excel'
const SPREADSHEETS = /^(?:excel\.sheet|(?:microsoft excel|libreoffice|openoffice|gnumeric)\b)/i

export function createPageSigns(): PageSigns {
  let hasFields = false
  let hasScripts = false
  let isOfSpreadsheet = false
  let hasFrames = false
  let links = 0
  return {
    open(name, attributes) {
      if (name === 'a') links++
      else if (FIELDS.has(name) || (name === 'input' && isEditable(attributes))) hasFields = true
      else if (name === 'script') hasScripts = true
      else if (name === 'iframe' || name === 'frame') hasFrames = true
      else if (name === 'html') {
        for (const value of attributes.values()) if (value === EXCEL_NAMES) isOfSpreadsheet = true
      } else if (name === 'meta') {
        isOfSpreadsheet ||=
          /^(?:progid|generator)$/i.test(attributes.get('name') ?? '') &&
          SPREADSHEETS.test(attributes.get('content') ?? '')
      } else if (name === 'x:excelworkbook') isOfSpreadsheet = true
    },
    hasFields: () => hasFields,
    hasScripts: () => hasScripts,
    links: () => links,
    isOfSpreadsheet: () => isOfSpreadsheet,
    hasFrames: () => hasFrames,
  }
}

/** Grids of ASP.NET have fields for truth values that cannot be changed, and hidden ones. */
export function isEditable(attributes: Attributes): boolean {
  return attributes.get('type')?.toLowerCase() !== 'hidden' && !attributes.has('disabled')
}
