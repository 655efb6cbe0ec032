import type { HtmlDocument } from './html-handler'
import type { HtmlTable } from './html-table'
import { ORDER } from './page-signs'

/** What of a document may be read. */
interface HtmlSheets {
  /** None of a page that is no table, but asks people to sign in, tells of an error, or sells. */
  tables: HtmlTable[]
  /** Whether one of them is read only when it is chosen. */
  isDoubtful: boolean
  /** How many others with rows are left out. */
  leftOut: number
}

/** Outside of its table: the pages of a shop have many more, to find one's way. */
const MAX_LINKS = 10

/**
 * Finds the tables that are sheets. A page on which something can be entered has none. Of Excel, all are; so they are of
 * other office programs, if one of them has a header. Of any other document they are those whose header has the names of
 * an inventory; or else those with any header, as lists of files and reports of errors have, too; or else any of
 * what is nothing but tables. The latter are read only when they are chosen, unless their cells have formats for
 * spreadsheets; so are those on the page of a site.
 */
export function listSheets({ tables, ...document }: HtmlDocument): HtmlSheets {
  const { signs, hasFormats, officeSheets } = document
  if (signs.hasFields()) return { tables: [], isDoubtful: false, leftOut: 0 }
  const isOfExcel = signs.isOfExcel() || officeSheets.length > 0
  if (isOfExcel || signs.isOfOffice()) {
    const isDoubtful = !isOfExcel && tables.every(({ header }) => header === 'none')
    return { tables: outermost(tables, isSheet), isDoubtful, leftOut: 0 }
  }
  const inventories = outermost(tables, ({ header }) => header === 'inventory')
  if (inventories.length > 0) {
    const linksElsewhere = inventories.reduce((rest, { links }) => rest - links, signs.links())
    const isOfSite = signs.hasScripts() || linksElsewhere > MAX_LINKS
    const isOrder = signs.isOrder() || inventories.every(({ name }) => ORDER.test(name))
    const leftOut = countOthers(tables, inventories)
    return { tables: inventories, isDoubtful: isOfSite || isOrder, leftOut }
  }
  const isForSpreadsheet = hasFormats && !signs.hasScripts()
  const named = outermost(tables, ({ header }) => header === 'names')
  if (named.length > 0) {
    return {
      tables: named,
      isDoubtful: !isForSpreadsheet,
      leftOut: countOthers(tables, named),
    }
  }
  const mayBe = ({ wideRows, hasTables }: HtmlTable) =>
    wideRows > 1 && (isForSpreadsheet || (signs.isBare() && !hasTables))
  return { tables: outermost(tables, mayBe), isDoubtful: true, leftOut: 0 }
}

/** Tables with rows, without those in the chosen ones and those in which the chosen ones stand. */
function countOthers(tables: HtmlTable[], chosen: readonly HtmlTable[]): number {
  const inner = new Set(chosen)
  const outer = new Set<HtmlTable>()
  for (const table of chosen) for (let at = table.outer; at; at = at.outer) outer.add(at)
  const isOther = (table: HtmlTable) =>
    table.wideRows > 0 && !inner.has(table) && !outer.has(table) && !isWithin(table, inner)
  return tables.filter(isOther).length
}

/** Not what only has the place of other tables on the page. */
const isSheet = ({ wideRows, hasTables }: HtmlTable): boolean => wideRows > 1 || !hasTables

/** The tables that fit, without those in their cells. */
function outermost(tables: HtmlTable[], fits: (table: HtmlTable) => boolean): HtmlTable[] {
  const chosen = new Set<HtmlTable>()
  for (const table of tables) if (fits(table) && !isWithin(table, chosen)) chosen.add(table)
  return [...chosen]
}

function isWithin({ outer }: HtmlTable, tables: ReadonlySet<HtmlTable>): boolean {
  return outer !== undefined && (tables.has(outer) || isWithin(outer, tables))
}
