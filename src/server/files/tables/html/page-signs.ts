import type { Attributes } from './html-tags'

/** Collects the signs by which a page for people is told from a table for programs. */
export interface PageSigns {
  open(name: string, attributes: Attributes): void
  /** Whether people can enter something, as on pages to sign in and on those of shops. */
  hasFields(): boolean
  hasScripts(): boolean
  links(): number
  /** Whether it is nothing but tables, as programs write that call them workbooks: pages have a title or headings. */
  isBare(): boolean
  /** Whether it says that another page follows. */
  hasNext(): boolean
  /** Whether Excel has written the page, or another program in its way. */
  isOfExcel(): boolean
  /** Whether an office program has written it, which may be a text as well. */
  isOfOffice(): boolean
  /** Whether it shows other pages, which have the sheets of a workbook. */
  hasFrames(): boolean
}

const OF_PAGES = new Set('a h1 h2 h3 h4 h5 h6 link p script style title'.split(' '))
const FIELDS = new Set(['select', 'textarea', 'button'])
const EXCEL_NAMES = 'urn:schemas-microsoft-com:office:excel'
const EXCEL = /^(?:excel\.sheet|microsoft excel\b)/i
const OFFICE = /^(?:libreoffice|openoffice|gnumeric)\b/i

export function createPageSigns(): PageSigns {
  let hasFields = false
  let hasScripts = false
  let isOfExcel = false
  let isOfOffice = false
  let hasFrames = false
  let hasNext = false
  let isBare = true
  let links = 0
  return {
    open(name, attributes) {
      if (attributes.get('rel')?.toLowerCase() === 'next') hasNext = true
      if (OF_PAGES.has(name)) isBare = false
      if (name === 'a') links++
      else if (FIELDS.has(name) || (name === 'input' && isEditable(attributes))) hasFields = true
      else if (name === 'script') hasScripts = true
      else if (name === 'iframe' || name === 'frame') hasFrames = true
      else if (name === 'html') {
        for (const value of attributes.values()) if (value === EXCEL_NAMES) isOfExcel = true
      } else if (name === 'meta' && /^(?:progid|generator)$/i.test(attributes.get('name') ?? '')) {
        const program = attributes.get('content') ?? ''
        isOfExcel ||= EXCEL.test(program)
        isOfOffice ||= OFFICE.test(program)
      } else if (name === 'x:excelworkbook') isOfExcel = true
    },
    hasFields: () => hasFields,
    hasScripts: () => hasScripts,
    links: () => links,
    isBare: () => isBare,
    hasNext: () => hasNext,
    isOfExcel: () => isOfExcel,
    isOfOffice: () => isOfOffice,
    hasFrames: () => hasFrames,
  }
}

/** Grids of ASP.NET have fields for truth values that cannot be changed, and hidden ones. */
export function isEditable(attributes: Attributes): boolean {
  return attributes.get('type')?.toLowerCase() !== 'hidden' && !attributes.has('disabled')
}
