import { type NumberFormat, parseNumberFormat } from '../xlsx/number-format'
import type { Attributes } from './html-tags'

/** Finds what styles say of cells: their number formats for spreadsheets, in rules for their classes or of their own. */
export interface CellFormats {
  /** Reads the content of a style element. */
  addRules(css: string): void
  /** The format of a cell; undefined if it has none. */
  find(attributes: Attributes): NumberFormat | undefined
  /** Whether a rule says that what has these attributes is not shown. */
  hides(attributes: Attributes): boolean
  /** Whether a rule says that it is struck out. */
  strikes(attributes: Attributes): boolean
  /** Whether any cell or rule had one. */
  hasAny(): boolean
}

const PROPERTY = 'mso-number-format'
/** Classes of common style sheets, which pages load from elsewhere, for what is not shown. */
const HIDDEN_CLASSES = new Set(
  'sr-only visually-hidden screen-reader-text d-none ng-hide hidden is-hidden hide'.split(' '),
)
const STRIKING = /(?:^|[;\s])text-decoration(?:-line)?\s{0,9}:[^;]{0,99}line-through/i
const HIDING = /(?:^|[;\s])display\s{0,9}:\s{0,9}none\b/i
/** A class by itself, or that of one element, among the selectors of a rule. */
const CLASS_ALONE = /(?:^|,)\s{0,99}(?:[a-z]{1,20})?\.([\w-]{1,100})\s{0,99}(?=,|$)/gi
const MAX_CLASSES = 20_000
const MAX_FORMAT_CHARACTERS = 1_000
/** Formats are known by what cells write of them, which is the same for most cells of a column. */
const MAX_REMEMBERED = 1_000

export function createCellFormats(): CellFormats {
  const byClass = new Map<string, NumberFormat>()
  const remembered = new Map<string, NumberFormat | undefined>()
  const hidden = new Set(HIDDEN_CLASSES)
  const struck = new Set<string>()
  let hasAny = false

  function parse(code: string | undefined): NumberFormat | undefined {
    if (code === undefined || code.length > MAX_FORMAT_CHARACTERS) return undefined
    hasAny = true
    return parseNumberFormat(code)
  }

  function remember(written: string, read: (written: string) => string | undefined) {
    if (remembered.has(written)) return remembered.get(written)
    const format = parse(read(written))
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(written, format)
    return format
  }

  return {
    addRules(css) {
      for (const rule of css.split('}')) {
        const [selectors = '', declarations = ''] = rule.split('{', 2)
        if (HIDING.test(declarations)) addClasses(selectors, hidden)
        if (STRIKING.test(declarations)) addClasses(selectors, struck)
        const format = parse(readProperty(declarations))
        if (!format) continue
        for (const [, name = ''] of selectors.matchAll(/\.([\w-]{1,100})/g)) {
          if (byClass.size < MAX_CLASSES) byClass.set(name, format)
        }
      }
    },
    find(attributes) {
      if (attributes.size === 0) return undefined
      const style = attributes.get('style')
      if (style?.includes(PROPERTY)) return remember(style, readProperty)
      const numbers = attributes.get('sdnum')
      if (numbers !== undefined) return remember(numbers, readLibreOffice)
      if (byClass.size === 0) return undefined
      const names = attributes.get('class')?.split(' ', 10) ?? []
      return byClass.get(names.find((name) => byClass.has(name)) ?? '')
    },
    hides: (attributes) => hasClass(attributes, hidden),
    strikes: (attributes) => struck.size > 0 && hasClass(attributes, struck),
    hasAny: () => hasAny,
  }
}

function addClasses(selectors: string, classes: Set<string>): void {
  for (const [, name = ''] of selectors.matchAll(CLASS_ALONE)) {
    if (classes.size < MAX_CLASSES) classes.add(name)
  }
}

const hasClass = (attributes: Attributes, classes: ReadonlySet<string>): boolean =>
  attributes
    .get('class')
    ?.split(' ', 10)
    .some((name) => classes.has(name)) ?? false

/** The format in declarations such as `color:red;mso-number-format:"\#\,\#\#0"`. */
function readProperty(declarations: string): string | undefined {
  const start = declarations.indexOf(PROPERTY)
  const colon = start < 0 ? -1 : declarations.indexOf(':', start)
  if (colon < 0) return undefined
  const text = declarations.slice(colon + 1, colon + 8 * MAX_FORMAT_CHARACTERS).trimStart()
  const isQuoted = text.startsWith('"') || text.startsWith("'")
  const ends = isQuoted ? (text[0] as string) : ';'
  let code = ''
  for (let at = isQuoted ? 1 : 0; at < text.length && text[at] !== ends; at++) {
    if (text[at] !== '\\') code += text[at]
    else {
      // Excel writes quotes by their number.
      const [number] = /^[\dA-Fa-f]{4}/.exec(text.slice(at + 1, at + 5)) ?? []
      code += number ? String.fromCharCode(Number.parseInt(number, 16)) : (text[at + 1] ?? '')
      at += number ? 4 : 1
    }
  }
  return code.trim()
}

/** LibreOffice writes the languages of the document and of the format before it: `1033;0;0000`. */
function readLibreOffice(written: string): string | undefined {
  return /^\d*;\d*;([^]*)/.exec(written)?.[1]
}
