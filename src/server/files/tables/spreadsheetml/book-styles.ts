import { damagedWorkbook, workbookTooLarge } from '../workbook'
import { type NumberFormat, PLAIN, parseNumberFormat } from '../xlsx/number-format'
import { type XmlAttributes, findAttribute } from '../xml-parser'

/** Collects the number formats of styles, which come before the cells. */
export interface BookStyles {
  open(name: string, attributes: XmlAttributes): void
  /** The format of a style; undefined for an unknown one. */
  find(style: string | undefined): NumberFormat | undefined
}

interface Style {
  format: NumberFormat | undefined
  parent: string | undefined
}

const MAX_STYLES = 100_000
/** Styles that inherit from each other in a circle would have no end. */
const MAX_PARENTS = 20
const MAX_FORMAT_CHARACTERS = 1_000

/** Formats that have a name, apart from those of numbers. */
const NAMED: Record<string, NumberFormat> = {
  'General Date': { kind: 'date' },
  'Long Date': { kind: 'date' },
  'Medium Date': { kind: 'date' },
  'Short Date': { kind: 'date' },
  'Long Time': { kind: 'time' },
  'Medium Time': { kind: 'time' },
  'Short Time': { kind: 'time' },
}
const NUMBERS = new Set([
  'General',
  'General Number',
  'Currency',
  'Euro Currency',
  'Fixed',
  'Standard',
  'Percent',
  'Scientific',
  'Yes/No',
  'True/False',
  'On/Off',
])

export function createBookStyles(): BookStyles {
  const styles = new Map<string, Style>()
  let style: Style | undefined
  return {
    open(name, attributes) {
      if (name === 'Style') {
        if (styles.size >= MAX_STYLES) throw workbookTooLarge('too many styles')
        style = { format: undefined, parent: findAttribute(attributes, 'Parent') }
        styles.set(findAttribute(attributes, 'ID') ?? '', style)
      } else if (name === 'NumberFormat' && style) {
        style.format = toFormat(findAttribute(attributes, 'Format'))
      }
    },
    find(name) {
      let current = name === undefined ? undefined : styles.get(name)
      for (let parents = 0; current && parents < MAX_PARENTS; parents++) {
        if (current.format) return current.format
        current = styles.get(current.parent ?? '')
      }
      return undefined
    },
  }
}

function toFormat(code: string | undefined): NumberFormat {
  if (code === undefined || NUMBERS.has(code)) return PLAIN
  if (code.length > MAX_FORMAT_CHARACTERS) {
    throw damagedWorkbook('one of its number formats is too long')
  }
  return NAMED[code] ?? parseNumberFormat(code)
}
