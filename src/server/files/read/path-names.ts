import { normalizeName } from './normalize-name'

/** Names that say nothing without the one before: `price.amount` is a price. */
const WEAK_ENDS = new Set(
  (
    'amount value text name title gross wert betrag stringvalue integervalue doublevalue numberdecimal numberdouble ' +
    'numberint numberlong'
  ).split(' '),
)

/** Parts of normalized names of what has prices, names and numbers of its own. */
const OTHER_THINGS =
  /ship|deliver|versand|liefer|image|img|pictur|photo|media|^tax(?:es)?$|^vat$|brand|manufact|herstell|vendor|supplier|related|accessor|cross|bundle|dimension|weight|pack|tier|review|rating|link|seo|meta/

/**
 * The normalized names by which a thing may be known that stands at a path: `stock/qty` is a `qty`, `price.amount` a
 * `price`, `OPTION/OPTION_EAN` an `ean`. None for what belongs to something else, as the price of its shipping does.
 */
export function namesAtPath(parts: readonly string[]): string[] {
  const names = parts.map(normalizeName).filter((name) => name !== '')
  const last = names.pop()
  if (last === undefined || names.some((name) => OTHER_THINGS.test(name))) return []
  const before = names.at(-1)
  if (before === undefined) return [last]
  if (WEAK_ENDS.has(last)) return [last, before]
  const own = last.startsWith(before) ? last.slice(before.length) : ''
  return own === '' ? [last] : [last, own]
}

/** The parts of a column's name that is a path of XML or JSON: `stock/qty`, `price.amount`, `price@currency`. */
const partsOfName = (column: string): string[] => column.split(/[/.@]/)

/**
 * The places of columns with one of these names, in the order of the names.
 * @param wanted normalized names
 * @param arePaths whether columns are called by paths, of which the end counts where no column has a whole name
 * @param weakNames those that must be the whole name
 */
export function findNamed(
  columns: readonly string[],
  wanted: readonly string[],
  arePaths: boolean,
  weakNames: ReadonlySet<string> = NONE,
): number[] {
  const whole = columns.map(normalizeName)
  const places = wanted.map((name) => whole.indexOf(name)).filter((place) => place >= 0)
  if (places.length > 0 || !arePaths) return places
  const ends = columns.map((column) => namesAtPath(partsOfName(column)))
  return wanted
    .filter((name) => !weakNames.has(name))
    .map((name) => ends.findIndex((names) => names.includes(name)))
    .filter((place) => place >= 0)
}

const NONE: ReadonlySet<string> = new Set()
