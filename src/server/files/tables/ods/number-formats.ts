import { createCondition, type DigitMask } from '../digit-mask'
import { workbookTooLarge } from '../workbook'
import { type ElementHandler, type XmlAttributes, findAttribute } from '../xml-parser'

/** A format that shows integers with leading zeros. */
export interface ZeroFormat {
  /** Undefined if only the program that wrote it knows what it shows. */
  mask: DigitMask | undefined
}

/** Collects the number styles of a part. Other formats, as those of dates and percentages, have no such zeros. */
export interface NumberFormats extends ElementHandler {
  has(name: string): boolean
  /** The format of this number, if it shows leading zeros. */
  find(name: string, value: number): ZeroFormat | undefined
}

interface NumberFormat {
  zeros: ZeroFormat | undefined
  /** Formats of some numbers, instead of this one. */
  maps: { isFor: (value: number) => boolean; name: string }[]
}

const MAX_FORMATS = 20_000
/** Of what a format has; none that programs write has as many. */
const MAX_DIGITS = 30
const MAX_LITERAL_CHARACTERS = 1_000
const MAX_MAPS = 10

export function createNumberFormats(): NumberFormats {
  const formats = new Map<string, NumberFormat>()
  let format: NumberFormat | undefined
  let parts: (string | null)[] = []
  let number: XmlAttributes = {}
  /** Texts before digits, by the places of these from the right. */
  let embedded = new Map<number, string>()
  let place = 0
  let literal: string | undefined
  let characters = 0

  function openFormat(name: string): void {
    if (formats.size >= MAX_FORMATS) throw workbookTooLarge('too many number formats')
    format = { zeros: undefined, maps: [] }
    formats.set(name, format)
    parts = []
    characters = 0
  }

  function closeNumber(): ZeroFormat | undefined {
    const digits = Number(findAttribute(number, 'min-integer-digits') ?? 0)
    const isInteger =
      Number(findAttribute(number, 'decimal-places') ?? 0) === 0 &&
      Number(findAttribute(number, 'display-factor') ?? 1) === 1 &&
      findAttribute(number, 'grouping') !== 'true'
    if (!isInteger || !(digits > 1)) return undefined
    const isKnown =
      Number.isInteger(digits) &&
      digits <= MAX_DIGITS &&
      [...embedded.keys()].every((at) => at > 0 && at < digits)
    if (!isKnown) return { mask: undefined }
    for (let left = digits; left > 0; left--) {
      const text = embedded.get(left)
      if (text !== undefined) parts.push(text)
      parts.push(null)
    }
    // Texts that follow are added to the parts.
    return { mask: { parts, digits } }
  }

  function addMap({ maps }: NumberFormat, attributes: XmlAttributes): void {
    const condition = findAttribute(attributes, 'condition') ?? ''
    const [, operator, limit] =
      /^value\(\) ?(<=|>=|!=|<|>|=) ?(-?\d{1,20}(?:\.\d{1,20})?)$/.exec(condition) ?? []
    if (operator === undefined || maps.length >= MAX_MAPS) return
    maps.push({
      isFor: createCondition(operator, Number(limit)),
      name: findAttribute(attributes, 'apply-style-name') ?? '',
    })
  }

  return {
    open(name, attributes) {
      if (name === 'number-style') openFormat(findAttribute(attributes, 'name') ?? '')
      else if (!format) return
      else if (name === 'number') {
        number = attributes
        embedded = new Map()
      } else if (name === 'map') addMap(format, attributes)
      else if (name === 'text' || name === 'embedded-text') {
        literal = ''
        place = Number(findAttribute(attributes, 'position') ?? 0)
      }
    },
    close(name) {
      if (name === 'number-style') format = undefined
      else if (!format) return
      else if (name === 'number') format.zeros = closeNumber()
      else if (name === 'text') parts.push(literal ?? '')
      else if (name === 'embedded-text') embedded.set(place, literal ?? '')
      else return
      literal = undefined
    },
    text(text) {
      if (literal === undefined) return
      characters += text.length
      if (characters > MAX_LITERAL_CHARACTERS)
        throw workbookTooLarge('a number format that is too long')
      literal += text
    },
    has: (name) => formats.has(name),
    find(name, value) {
      const map = formats.get(name)?.maps.find(({ isFor }) => isFor(value))
      return formats.get(map?.name ?? name)?.zeros
    },
  }
}
