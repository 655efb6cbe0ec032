/** Lines that are looked at, and as much of each. */
const EXAMINED_LINES = 20
const LINE_CHARACTERS = 200

/** Texts that are known by how they begin. */
const BEGINNINGS: readonly { what: string; start: RegExp }[] = [
  { what: 'an EDIFACT message', start: /^UN(?:A.{6}\s*UNB|B\+)/ },
  { what: 'an ANSI X12 message', start: /^ISA([^\w\s]).{2}\1/ },
  { what: 'JavaScript', start: /^(?:var|let|const)\s[\w$\s]{1,99}=\s*[[{]/ },
  {
    what: 'JavaScript',
    start: /^(?:export\s+default|(?:module\.exports|window\.[\w$.]{1,99})\s*=)\s*[[{]/,
  },
  {
    what: 'JavaScript (JSONP)',
    start: /^(?:\/\*.{0,99}?\*\/)?\s*(?:typeof .{1,99}?&&\s*)?[\w$.]{1,99}\(\s*[[{]/,
  },
  { what: 'JSON with a line before it', start: /^(?:\)\]\}'|while\s*\(1\);|for\s*\(;;\);)/ },
  { what: 'a list of Python', start: /^[[(]?\s*\{\s*'[^'\n]{1,99}'\s*:/ },
  { what: 'PHP', start: /^(?:<\?php\s|a:\d{1,9}:\{|[aA]rray\s*\(\s*\n)/ },
  { what: 'a dump of a database (SQL)', start: /^(?:insert\s+into|create\s+table)\s+[\w`"[]/i },
  { what: 'a dump of a database (SQL)', start: /^--\s+(?:MySQL|MariaDB|PostgreSQL|phpMyAdmin)\b/ },
  { what: 'a calendar or an address book', start: /^BEGIN:V[A-Z]{4,}\s/ },
]

const DELIMITERS = [',', ';', '\t', '|']
const YAML_ITEM = /^\s*-\s+(?:\{|[\w$"'][^:,;\t|]{0,60}:(?:\s|$))/
const YAML_PAIR = /^\s*(?:-\s+)?["']?[\w$][^:,;\t|]{0,60}:(?:\s|$)/
const PAIR = /^[\w$][\w$ .-]{0,60}?(?::\s|\s?=)\s*(?!=)/

/**
 * Finds out whether a text is in a language in which others write data, so that it is no table although all of it can
 * be read as one.
 * @param text the beginning of a file
 * @returns what it is; undefined for any other text
 */
export function findOtherLanguage(text: string): string | undefined {
  const start = text.trimStart()
  const known = BEGINNINGS.find((beginning) => beginning.start.test(start))
  if (known) return known.what
  const lines = start
    .split(/[\r\n]+/, EXAMINED_LINES)
    .map((line) => line.slice(0, LINE_CHARACTERS))
    .filter((line) => line.trim() !== '')
  if (isYaml(lines)) return 'YAML'
  return arePairs(lines) ? 'a list of names with values' : undefined
}

const areCells = ([first = '', ...others]: readonly string[], delimiter: string): boolean => {
  const count = first.split(delimiter).length
  return count > 1 && others.every((line) => line.split(delimiter).length === count)
}

/** Items of a list, with names and values. */
function isYaml(lines: readonly string[]): boolean {
  const content = lines.filter((line) => !/^(?:---|#|%YAML)/.test(line))
  const isListed = content.some((line) => YAML_ITEM.test(line))
  const isNested = content.some(
    (line, at) => at > 0 && /^\s/.test(line) && /:\s*$/.test(content[at - 1] as string),
  )
  return (
    content.length > 1 &&
    (isListed || isNested) &&
    content.every((line) => YAML_PAIR.test(line) || YAML_ITEM.test(line))
  )
}

/** `sku=A1` and `sku: A1`, each on a line of its own, or below the name of a section. */
function arePairs(lines: readonly string[]): boolean {
  const content = lines.filter((line) => !/^(?:\[[^\]]{1,99}\]|[#;].*|--)\s*$/.test(line))
  if (content.length < 2 || !content.every((line) => PAIR.test(line))) return false
  if (DELIMITERS.some((delimiter) => areCells(content, delimiter))) return false
  const names = content.map((line) => PAIR.exec(line)?.[0].trim())
  // A table may have a colon in each row; a name that comes again is none of its columns.
  return lines.length > content.length || new Set(names).size < names.length
}
