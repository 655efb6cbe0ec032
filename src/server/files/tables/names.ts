/**
 * A test of names by a pattern, in which `*` stands for any text. Upper and lower case are alike, as for the
 * sheets of a workbook. Takes time in proportion to the name and the pattern.
 */
export function createNameTest(pattern: string): (name: string) => boolean {
  const [start = '', ...rest] = fold(pattern).split('*')
  const end = rest.pop()
  return (name) => {
    const text = fold(name)
    if (end === undefined) return text === start
    if (!text.startsWith(start) || text.length < start.length + end.length) return false
    let at = start.length
    for (const part of rest) {
      const found = text.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= text.length - end.length && text.endsWith(end)
  }
}

const fold = (name: string) => name.normalize('NFC').toLowerCase()

const MAX_LISTED = 10

/** `“Stock”, “Prices” and 3 others`, for messages. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).map((name) => `“${shorten(name)}”`)
  const others = names.length - shown.length
  if (others > 0) return `${shown.join(', ')} and ${others} more`
  const last = shown.pop() ?? 'none'
  return shown.length > 0 ? `${shown.join(', ')} and ${last}` : last
}

const MAX_NAME = 60

const shorten = (name: string) =>
  name.length > MAX_NAME ? `${name.slice(0, MAX_NAME).toWellFormed()} …` : name
