import { workbookTooLarge } from '../workbook'
import { type ElementHandler, type XmlAttributes, findAttribute } from '../xml-parser'
import { createNumberFormats, type NumberFormats, type ZeroFormat } from './number-formats'

/** Collects the styles in one section of a part, where their names are known. */
export interface StylePart extends ElementHandler {
  find(family: 'table' | 'table-cell', name: string): Style | undefined
  formats: NumberFormats
}

interface Style {
  isHidden: boolean
  /** The name of its number format, if it has one of its own. */
  format: string | undefined
  parent: string
  /** Set when it has been found. */
  findZeros?: (value: number) => ZeroFormat | undefined
}

const MAX_STYLES = 100_000
const SECTION_DEPTH = 2

export function createStylePart(section: 'styles' | 'automatic-styles'): StylePart {
  const families = { table: new Map<string, Style>(), 'table-cell': new Map<string, Style>() }
  const formats = createNumberFormats()
  let isInside = false
  let style: Style | undefined

  function openStyle(attributes: XmlAttributes): void {
    const family = findAttribute(attributes, 'family')
    style = undefined
    if (family !== 'table' && family !== 'table-cell') return
    if (families[family].size >= MAX_STYLES) throw workbookTooLarge('too many styles')
    style = {
      isHidden: false,
      format: findAttribute(attributes, 'data-style-name'),
      parent: findAttribute(attributes, 'parent-style-name') ?? '',
    }
    families[family].set(findAttribute(attributes, 'name') ?? '', style)
  }

  return {
    formats,
    open(name, attributes, depth) {
      if (depth === SECTION_DEPTH) isInside = name === section
      if (!isInside) return
      if (name === 'style') openStyle(attributes)
      else if (name === 'table-properties') {
        if (style && findAttribute(attributes, 'display') === 'false') style.isHidden = true
      } else formats.open(name, attributes, depth)
    },
    close: formats.close,
    text: formats.text,
    find: (family, name) => families[family].get(name),
  }
}
