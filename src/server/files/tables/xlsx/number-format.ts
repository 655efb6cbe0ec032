/** How a number is shown: only what changes its meaning. */
export type NumberFormat =
  | { kind: 'number' }
  | { kind: 'date' | 'time' | 'elapsed' }
  | { kind: 'digits'; masks: readonly DigitMask[] }

/** Leading zeros and literals around digits, as in `00000-0000`. */
interface DigitMask {
  isFor: (value: number) => boolean
  /** `null` for a digit. */
  parts: readonly (string | null)[]
  digits: number
}

export const PLAIN: NumberFormat = { kind: 'number' }
const DATE: NumberFormat = { kind: 'date' }
const TIME: NumberFormat = { kind: 'time' }
const ELAPSED: NumberFormat = { kind: 'elapsed' }

/** Those that workbooks do not define. Some depend on the language of Excel; all of those are dates and times. */
export function builtInFormat(id: number): NumberFormat {
  if ((id >= 18 && id <= 21) || id === 45 || id === 47) return TIME
  if (id === 46) return ELAPSED
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36)) return DATE
  return id >= 50 && id <= 58 ? DATE : PLAIN
}

export function parseNumberFormat(code: string): NumberFormat {
  const sections = splitSections(code)
  const first = sections[0]
  if (!first || first.codes.trim() === 'general') return PLAIN
  if (first.isElapsed) return ELAPSED
  const isFraction = /[0#?]/.test(first.codes.replace(/s[.,]0+/g, 's'))
  if (!isFraction && /[ymdhse]/.test(first.codes)) return isDate(first.codes) ? DATE : TIME
  return digitFormat(sections)
}

interface Section {
  /** What is neither literal nor in brackets, in lower case. */
  codes: string
  isElapsed: boolean
  isFor?: (value: number) => boolean
  /** `null` for a digit; undefined if there is more than digits and literals. */
  parts: (string | null)[] | undefined
}

const newSection = (): Section => ({ codes: '', isElapsed: false, parts: [] })
/** What may stand in a format without quotes. */
const LITERALS = new Set(" -+():/$!^&'~{}<>=")

function splitSections(code: string): Section[] {
  const sections = [newSection()]
  for (let at = 0; at < code.length; at++) {
    const section = sections.at(-1) as Section
    const character = code[at] as string
    if (character === ';') sections.push(newSection())
    else if (character === '"') {
      const end = indexOrEnd(code, '"', at + 1)
      section.parts?.push(code.slice(at + 1, end))
      at = end
    } else if (character === '\\') section.parts?.push(code[++at] ?? '')
    // A space as wide as the next character, and filling with it.
    else if (character === '_' || character === '*') at++
    else if (character === '[') {
      const end = indexOrEnd(code, ']', at + 1)
      readBrackets(section, code.slice(at + 1, end))
      at = end
    } else {
      section.codes += character.toLowerCase()
      if (character === '0') section.parts?.push(null)
      else if (LITERALS.has(character)) section.parts?.push(character)
      else section.parts = undefined
    }
  }
  return sections
}

const indexOrEnd = (text: string, wanted: string, from: number): number => {
  const found = text.indexOf(wanted, from)
  return found < 0 ? text.length : found
}

/** A colour, a language, a condition, or a time that is not cut at a day. */
function readBrackets(section: Section, text: string): void {
  if (/^(?:h+|m+|s+)$/i.test(text)) {
    section.isElapsed = true
    return
  }
  const condition = /^(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)$/.exec(text)
  if (condition) section.isFor = createCondition(condition[1] ?? '', Number(condition[2]))
}

function createCondition(operator: string, limit: number): (value: number) => boolean {
  switch (operator) {
    case '<=':
      return (value) => value <= limit
    case '>=':
      return (value) => value >= limit
    case '<':
      return (value) => value < limit
    case '>':
      return (value) => value > limit
    case '=':
      return (value) => value === limit
    default:
      return (value) => value !== limit
  }
}

/** `m` are minutes after hours and before seconds, and months otherwise. */
function isDate(codes: string): boolean {
  const runs = codes.replace(/am\/pm|a\/p/g, '').match(/([ymdhse])\1*/g) ?? []
  return runs.some((run, index) => {
    if (run[0] !== 'm') return run[0] === 'y' || run[0] === 'd' || run[0] === 'e'
    const isMinutes = runs[index - 1]?.[0] === 'h' || runs[index + 1]?.[0] === 's'
    return run.length > 2 || !isMinutes
  })
}

function digitFormat(sections: Section[]): NumberFormat {
  // Further sections without a condition are for negative numbers, zero and texts.
  const used = sections[0]?.isFor ? sections : sections.slice(0, 1)
  const masks: DigitMask[] = []
  for (const { parts, isFor } of used) {
    const digits = parts?.filter((part) => part === null).length ?? 0
    // One zero is no leading one: what stands around it is a unit.
    if (!parts || digits < 2) return PLAIN
    masks.push({ isFor: isFor ?? (() => true), parts, digits })
  }
  return { kind: 'digits', masks }
}

/** Shows a number as the format does; undefined if it has a fraction, which the format would hide. */
export function showDigits(masks: readonly DigitMask[], value: number): string | undefined {
  if (!Number.isInteger(value) || Math.abs(value) >= 1e15) return undefined
  const mask = masks.find(({ isFor }) => isFor(value))
  if (!mask) return undefined
  const digits = String(Math.abs(value)).padStart(mask.digits, '0')
  let at = digits.length - mask.digits + 1
  let shown = value < 0 ? '-' : ''
  let isFirst = true
  for (const part of mask.parts) {
    if (part !== null) shown += part
    else if (isFirst) {
      shown += digits.slice(0, at)
      isFirst = false
    } else shown += digits[at++]
  }
  return shown
}
