/** Lines that are looked at, and as much of each. */
const EXAMINED_LINES = 20
const LINE_CHARACTERS = 200

/** Statements, also behind others that prepare them. */
const SQL =
  /^(?:(?:set|use|drop|begin|start|lock|delete|truncate|go)\b[^\n;]{0,200}(?:;|\n)\s{0,9}){0,5}(?:(?:insert|replace|merge)\s{1,9}into|create\s{1,9}table|insert|update)\s{1,9}[\w`"[.\]]{1,200}\s{0,9}(?:\(|values|set\b|select\b|using\b|on\b|as\b)/i

/** Texts that are known by how they begin. */
const BEGINNINGS: readonly { what: string; start: RegExp }[] = [
  { what: 'an EDIFACT message', start: /^UN(?:A.{6}\s*UNB|[BGH]\+)/ },
  { what: 'an ANSI X12 message', start: /^ISA([^\w\s]).{2}\1/ },
  { what: 'an ANSI X12 message', start: /^ST([*|~^])\d{3}\1\d{4,9}/ },
  { what: 'a TRADACOMS message', start: /^STX=AN/ },
  { what: 'an IDoc of SAP', start: /^EDI_DC40/ },
  { what: 'a table in the form SYLK', start: /^ID;P\w/ },
  { what: 'a table in the form DIF', start: /^TABLE\s{1,9}0,1\s/ },
  { what: 'JavaScript', start: /^(?:var|let|const)\s[\w$\s]{1,99}=\s*[[{]/ },
  {
    what: 'JavaScript',
    start: /^(?:export\s+default|(?:module\.exports|window\.[\w$.]{1,99})\s*=)\s*[[{]/,
  },
  {
    what: 'JavaScript (JSONP)',
    start: /^(?:\/\*.{0,99}?\*\/)?\s*(?:typeof .{1,99}?&&\s*)?[\w$.]{1,99}\(\s*[[{]/,
  },
  { what: 'JavaScript', start: /^[([]{0,3}\{\s{0,99}[A-Za-z_$][\w$]{0,60}\s{0,9}:\s{0,9}["'\d[{]/ },
  { what: 'JSON in parentheses', start: /^\(\s{0,99}[[{]\s{0,99}[{"]/ },
  { what: 'JSON within a text', start: /^"\s{0,99}[[{][\s[{]{0,99}\\"/ },
  { what: 'XML within a text', start: /^"\s{0,99}<(?:\?xml|\w{1,60}>(?:\s|\\n){0,99}<)/ },
  { what: 'a single value of JSON', start: /^(?:null|true|false)\s{0,99}$/ },
  { what: 'Ruby', start: /^\[?\{\s{0,9}:\w{1,60}\s{0,9}=>/ },
  { what: 'BibTeX', start: /^@\w{1,30}\{/ },
  { what: 'JSON with a line before it', start: /^(?:\)\]\}'|while\s*\(1\);|for\s*\(;;\);)/ },
  { what: 'a list of Python', start: /^[[(]?\s*\{\s*'[^'\n]{1,99}'\s*:/ },
  { what: 'PHP', start: /^(?:<\?php\s|a:\d{1,9}:\{|[aA]rray\s*\(\s*\n)/ },
  { what: 'a dump of a database (SQL)', start: SQL },
  {
    what: 'a dump of a database (COPY)',
    start: /^COPY\s{1,9}[\w."]{1,200}\s{0,9}\([^()]{1,4000}\)\s{0,9}FROM\s{1,9}stdin/i,
  },
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
  const document = findDocumentInside(start)
  if (document !== undefined) return document
  const lines = start
    .split(/[\r\n]+/, EXAMINED_LINES)
    .map((line) => line.slice(0, LINE_CHARACTERS))
    .filter((line) => line.trim() !== '')
  if (isYaml(lines)) return 'YAML'
  return arePairs(lines) || areLinesOfPairs(lines) ? 'a list of names with values' : undefined
}

/** What stands before a document: messages of the program that writes it. */
const MAX_BEFORE = 1_000
const TABLE = /<table\b[^<>]{0,1000}>(?:\s{0,99}<[^<>]{0,1000}>){0,20}?\s{0,99}<t[rhd]\b/i

/** XML or a table of HTML with a text before it. */
function findDocumentInside(text: string): string | undefined {
  if (text.slice(0, MAX_BEFORE).includes('<?xml version=')) return 'XML with something before it'
  const found = TABLE.exec(text)
  if (!found || found.index > MAX_BEFORE) return undefined
  const line = text.slice(text.lastIndexOf('\n', found.index) + 1, found.index)
  // In a cell, a delimiter or a quotation mark stands before it.
  const isCell = /[,;\t|"]/.test(line.replace(/&#?\w{1,9};/g, ''))
  return isCell ? undefined : 'a table of HTML with something before it'
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

/** `sku=A1;qty=3`, with the same names in each line. */
function areLinesOfPairs(lines: readonly string[]): boolean {
  if (lines.length < 2) return false
  return DELIMITERS.some((delimiter) => {
    if (!areCells(lines, delimiter)) return false
    const namesOf = (line: string) =>
      line
        .split(delimiter)
        .map((cell) => /^\s{0,9}([\p{L}_][\w .-]{0,40})(?:=|:\s)/u.exec(cell)?.[1])
    const first = namesOf(lines[0] as string)
    if (first.includes(undefined) || new Set(first).size < first.length) return false
    return lines.every((line) => namesOf(line).every((name, at) => name === first[at]))
  })
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
