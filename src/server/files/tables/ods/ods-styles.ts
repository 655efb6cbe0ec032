import { workbookTooLarge } from '../workbook'
import { type XmlAttributes, findAttribute } from '../xml-parser'

/** Collects what styles say of cells and sheets, in the order of the document. */
export interface OdsStyles {
  open(name: string, attributes: XmlAttributes): void
  isSheetHidden(style: string): boolean
  /** Whether integers are shown with leading zeros, and so are to be read as they are shown. */
  isPadded(style: string): boolean
}

interface Style {
  isHidden: boolean
  format: string | undefined
  parent: string | undefined
}

const MAX_STYLES = 100_000
/** Styles that inherit from each other in a circle would have no end. */
const MAX_PARENTS = 20

export function createOdsStyles(): OdsStyles {
  const styles = new Map<string, Style>()
  const paddedFormats = new Set<string>()
  const padded = new Map<string, boolean>()
  let style: Style | undefined
  let format = ''

  function openNumber(attributes: XmlAttributes): void {
    const isInteger = Number(findAttribute(attributes, 'decimal-places') ?? 0) === 0
    const isGrouped = findAttribute(attributes, 'grouping') === 'true'
    const digits = Number(findAttribute(attributes, 'min-integer-digits') ?? 0)
    if (isInteger && !isGrouped && digits > 1) paddedFormats.add(format)
  }

  function findPadded(name: string): boolean {
    let current = styles.get(name)
    for (let parents = 0; current && parents < MAX_PARENTS; parents++) {
      if (current.format !== undefined) return paddedFormats.has(current.format)
      current = styles.get(current.parent ?? '')
    }
    return false
  }

  return {
    open(name, attributes) {
      if (name === 'style') {
        if (styles.size >= MAX_STYLES) throw workbookTooLarge('too many styles')
        style = {
          isHidden: false,
          format: findAttribute(attributes, 'data-style-name'),
          parent: findAttribute(attributes, 'parent-style-name'),
        }
        styles.set(findAttribute(attributes, 'name') ?? '', style)
      } else if (name === 'table-properties') {
        if (style && findAttribute(attributes, 'display') === 'false') style.isHidden = true
      } else if (name === 'number-style') {
        if (paddedFormats.size >= MAX_STYLES) throw workbookTooLarge('too many styles')
        format = findAttribute(attributes, 'name') ?? ''
      } else if (name === 'number') openNumber(attributes)
      // Other kinds of formats have numbers too.
      else if (name.endsWith('-style')) format = ''
    },
    isSheetHidden: (name) => styles.get(name)?.isHidden ?? false,
    isPadded(name) {
      const known = padded.get(name)
      if (known !== undefined) return known
      const isPadded = findPadded(name)
      if (styles.has(name)) padded.set(name, isPadded)
      return isPadded
    },
  }
}
