import { createCondition, type DigitMask } from '../digit-mask'

/** How a number is shown: only what changes its meaning. */
export type NumberFormat =
  | { kind: 'number' }
  | { kind: 'date' | 'time' | 'elapsed' }
  | { kind: 'digits'; masks: readonly Mask[] }

interface Mask extends DigitMask {
  isFor: (value: number) => boolean
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
  if (!first) return PLAIN
  if (first.isElapsed) return ELAPSED
  const codes = withoutWords(first.codes)
  const isFraction = /[0#?]/.test(codes.replace(/s[.,]0+/g, 's'))
  if (!isFraction && /[ymdhse]/.test(codes)) return isDate(codes) ? DATE : TIME
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

/**
 * Words such as `General`, which programs write in the language of their user (`Standard`, `Estándar`), are no codes. Those
 * consist of the letters of dates and times alone, and of the `T` that some programs write between them.
 */
const withoutWords = (codes: string) =>
  codes.replace(/\p{Script=Latin}+/gu, (word) => (/[^ymdhsegabtp]/.test(word) ? '' : word))

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
  const masks: Mask[] = []
  for (const { parts, isFor } of used) {
    const digits = parts?.filter((part) => part === null).length ?? 0
    // One zero is no leading one: what stands around it is a unit.
    if (!parts || digits < 2) return PLAIN
    masks.push({ isFor: isFor ?? (() => true), parts, digits })
  }
  return { kind: 'digits', masks }
}
