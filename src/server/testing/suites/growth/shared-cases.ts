import { measureColumns } from '../../../../client/lib/column-widths'
import { pageRequest, readListView, readQuery } from '../../../../client/lib/list-view'
import { describeAlert } from '../../../../shared/alert-text'
import { describeAuditEntry } from '../../../../shared/audit-actions'
import {
  categoryKey,
  comparableCell,
  comparableCategories,
  createCategoryMatcher,
  foldName,
  isReadableCategory,
  readCategories,
} from '../../../../shared/categories'
import { encodingLabel } from '../../../../shared/encodings'
import { formatFileName, formatInitials, formatOptionLabel } from '../../../../shared/format'
import { describeHold } from '../../../../shared/hold-reasons'
import { isMasked, maskAddress, mayContainSecret } from '../../../../shared/masked-address'
import { isPagePath } from '../../../../shared/page-paths'
import { nullWhenEmpty } from '../../../../shared/schemas/primitives'
import { isUnchanged } from '../../../../shared/schemas/source-auth'
import { describeUsernameProblem } from '../../../../shared/schemas/username-characters'
import { isChangeColumn } from '../../../../shared/shop-formats'
import {
  guardFormulas,
  guardFormulasButNumbers,
  toSpreadsheetCell,
} from '../../../../shared/spreadsheet-cell'
import { storeUrlToHref, withHttps } from '../../../../shared/web-address'
import { buildCategoryIndex } from '../../../features/catalogue/versions/category-index'
import {
  listLevel,
  listMatches,
  takePage,
} from '../../../features/catalogue/versions/category-pages'
import { type GrowthCase, exempt, text, texts } from './case'

const READING = { column: 'category', pathSeparator: '>', listSeparator: ',' } as const
const BUILDS_SCHEMA = 'builds a schema, which is measured where it is used'
const NUMBERS = 'takes numbers'

const countAll = (cells: string[]) => cells.map((cell, rows) => ({ cell, rows }))
/** All cells joined into one, and each by itself. */
const cellsOf = (cells: string[]) => countAll([cells.join('>'), cells.join(','), ...cells])
const indexOf = (cells: string[]) => buildCategoryIndex(cellsOf(cells), READING)

const FORMATS_NUMBERS = Object.fromEntries(
  [
    'formatFileSize',
    'formatRetailerFileSize',
    'formatSyncFrequency',
    'formatCount',
    'formatDuration',
  ].map((name) => [name, exempt(NUMBERS)]),
)

/** Cases by file below `src` and export. */
export const sharedCases: Record<string, Record<string, GrowthCase>> = {
  'shared/categories': {
    isReadableCategory: text((cell) => isReadableCategory(cell, READING)),
    readCategories: text((cell) => readCategories(cell, READING)),
    comparableCell: text((cell) => comparableCell(cell, READING)),
    foldName: text(foldName),
    categoryKey: text((category) => categoryKey(category, READING)),
    createCategoryMatcher: texts((cells) => {
      const matches = createCategoryMatcher(cells, READING)
      for (const { cell } of cellsOf(cells)) matches(cell)
      return matches
    }),
    comparableCategories: texts((cells) =>
      comparableCategories([cells.join('>'), ...cells], READING),
    ),
  },
  'shared/constants': {},
  'shared/alert-text': {
    describeAlert: text((reason) => describeAlert({ kind: 'feed.held', details: { reason } })),
    alertPath: exempt('takes ids'),
  },
  'shared/alerts': {
    listAlertKinds: exempt('takes names of a list'),
    isWantedByDefault: exempt('takes names of a list'),
  },
  'shared/generate-password': { generatePassword: exempt('takes nothing') },
  'shared/page-paths': { isPagePath: text(isPagePath) },
  'shared/hold-reasons': {
    describeHold: texts((keys) =>
      describeHold({
        rule: 'keys',
        column: 'sku',
        known: 1,
        gone: 1,
        newlyZero: 0,
        examples: keys,
      }),
    ),
  },
  'shared/shop-formats': {
    delimiterOf: exempt('takes names of a list'),
    feedFileNameOf: exempt('takes names of a list'),
    hasQuantities: exempt('takes names of a list'),
    isChangeColumn: text(isChangeColumn),
  },
  'shared/schemas/shop-format': {
    withoutUnusedOptions: exempt('parses with the schema, which is measured'),
  },
  'shared/encodings': { encodingLabel: text(encodingLabel) },
  'shared/format': {
    ...FORMATS_NUMBERS,
    formatOptionLabel: text(formatOptionLabel),
    syncFrequencyOptions: exempt(NUMBERS),
    formatInitials: text(formatInitials),
    formatFileName: text((name) => formatFileName(`connection_1${name}`)),
    formatCountOf: exempt(NUMBERS),
    pluralize: exempt(NUMBERS),
  },
  'shared/audit-actions': {
    auditNounOf: exempt('of names in our code'),
    tellAuditEntry: exempt('see describeAuditEntry'),
    describeAuditEntry: text((name) =>
      describeAuditEntry({
        action: 'supplier.update',
        actorName: name,
        subjectName: name,
        origin: 'web',
        count: 2,
      }),
    ),
  },
  'shared/schemas/bounds': { upTo: exempt(BUILDS_SCHEMA), boundedList: exempt(BUILDS_SCHEMA) },
  'shared/schemas/page': { pageInput: exempt(BUILDS_SCHEMA), pageSchema: exempt(BUILDS_SCHEMA) },
  'shared/spreadsheet-cell': {
    guardFormulas: text(guardFormulas),
    guardFormulasButNumbers: text(guardFormulasButNumbers),
    toSpreadsheetCell: text(toSpreadsheetCell),
  },
  'shared/masked-address': {
    mayContainSecret: text((whole) => mayContainSecret(`http://a.example/${whole}`)),
    maskAddress: text((whole) => maskAddress(`http://a.example/${whole}`)),
    isMasked: text(isMasked),
  },
  'shared/web-address': {
    withHttps: text((whole) => [withHttps(whole), withHttps(`a.${whole}`)]),
    storeUrlToHref: text((whole) => [storeUrlToHref(whole), storeUrlToHref(`http://${whole}`)]),
  },
  'shared/schemas/primitives': {
    nameSchema: exempt(BUILDS_SCHEMA),
    nullWhenEmpty: text(nullWhenEmpty),
  },
  'shared/schemas/username-characters': { describeUsernameProblem: text(describeUsernameProblem) },
  'shared/schemas/source-auth': { isUnchanged: text(isUnchanged) },
  'server/features/catalogue/versions/category-index': { buildCategoryIndex: texts(indexOf) },
  'server/features/catalogue/versions/category-pages': {
    takePage: texts(async (cells) => takePage((await indexOf(cells)).nodes)),
    listLevel: texts(async (cells) => listLevel(await indexOf(cells), null)),
    listMatches: texts(async (cells) => listMatches(await indexOf(cells), 'w a')),
  },
  'client/lib/column-widths': {
    measureColumns: texts((columns) => measureColumns(columns, [columns, columns])),
    fillWidth: exempt(NUMBERS),
  },
  'client/lib/list-view': {
    readListView: text((q) => readListView({ q, sort: q, page: q, size: q }, [q])),
    readQuery: text(readQuery),
    pageRequest: text((sort) => pageRequest({ q: sort, sort }, ['a', 'b'])),
  },
}
