import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import { createByteOutput } from '../../../files/byte-output'
import { filterFile } from '../../../files/filter'
import { createProblemLog } from '../../../files/read/problems'
import { displayName } from '../../../files/read/scan/display-cell'
import { createColumnFinder } from '../../../files/shop-formats/column-finder'
import { detectRoles, findRoleColumn } from '../../../files/shop-formats/column-roles'
import { createFormulaGuard } from '../../../files/shop-formats/formula-guard'
import { toJsonNumber } from '../../../files/shop-formats/json-number'
import { layOut } from '../../../files/shop-formats/layout'
import {
  findNumbers,
  findStockPlace,
  judgeNumbers,
} from '../../../files/shop-formats/quantity-numbers'
import { createCsvText, createJsonText } from '../../../files/shop-formats/row-text'
import { createSeenKeys } from '../../../files/shop-formats/seen-keys'
import { createStockReader } from '../../../files/shop-formats/stock-reader'
import { countStockTexts } from '../../../files/stock-texts'
import { inChunks } from '../../fixtures/file-fixtures'
import { type GrowthCase, exempt, file, texts } from './case'
import { unlessRefusedLater } from './rows'

const { signal } = new AbortController()
const ROLES = { sku: null, quantity: null, barcode: null, price: null }

function toFormat(names: string[], { isNdjson = false } = {}) {
  return {
    profile: shopFormatSchema.parse({ kind: 'own', skuPrefix: 'x', buffer: 1 }),
    policy: columnPolicySchema.parse({
      hidden: names.slice(0, 1).map(displayName).filter(Boolean),
    }),
    quantityColumn: null,
    isNdjson,
  }
}

function writeRows(parts: string[], isNdjson: boolean) {
  const layout = layOut(parts, toFormat([]))
  const text = isNdjson ? createJsonText(layout) : createCsvText(layout, ';')
  return text.header + text.row(parts)
}

/** Cases by file below `server/files` and export. */
export const shopFormatCases: Record<string, Record<string, GrowthCase>> = {
  'byte-output': {
    createByteOutput: texts((parts) => {
      const output = createByteOutput()
      for (const part of parts) output.addText(part)
      return output.flush(async () => undefined)
    }),
  },
  'stock-texts': {
    countStockTexts: file((bytes) => {
      const options = { column: 'b', maxBytes: bytes.length, signal }
      return unlessRefusedLater(countStockTexts(inChunks(bytes), options))
    }),
  },
  'shop-formats/column-finder': {
    createColumnFinder: texts((names) => createColumnFinder(names, toFormat(names)).all()),
  },
  'shop-formats/column-roles': {
    detectRoles: texts((names) => detectRoles(names, null)),
    findRoleColumn: texts((names) => findRoleColumn(names, 'sku', ROLES, null)),
  },
  'shop-formats/formula-guard': {
    createFormulaGuard: texts((parts) => {
      const excel = { ...toFormat([]), profile: shopFormatSchema.parse({ kind: 'excel' }) }
      return parts.map(createFormulaGuard(excel, createProblemLog()))
    }),
  },
  'shop-formats/layout': { layOut: texts((names) => layOut(names, toFormat(names))) },
  'shop-formats/json-number': {
    findJsonMark: exempt('chooses one of two'),
    toJsonNumber: texts((cells) => cells.map((cell) => toJsonNumber(cell, 'comma'))),
  },
  'shop-formats/quantity-numbers': {
    findStockPlace: texts((names) => findStockPlace(layOut(names, toFormat(names)))),
    findNumbers: texts((names) => {
      // One object for all: a million of them would measure the collection of garbage.
      const other = { column: 'other', style: null, used: null, example: null }
      return findNumbers(names, 0, { numbers: names.slice(1).map(() => other) })
    }),
    judgeNumbers: file((bytes) => {
      const format = {
        profile: shopFormatSchema.parse({ kind: 'stock' }),
        policy: columnPolicySchema.parse({ roles: { sku: 'a', quantity: 'b' } }),
        quantityColumn: null,
        isNdjson: false,
      }
      return unlessRefusedLater(judgeNumbers(() => inChunks(bytes), format, signal))
    }),
  },
  'shop-formats/row-text': {
    createCsvText: texts((parts) => writeRows(parts, false)),
    createJsonText: texts((parts) => writeRows(parts, true)),
  },
  'shop-formats/seen-keys': {
    createSeenKeys: texts((parts) => {
      const seen = createSeenKeys()
      return parts.filter((part) => seen.add(part))
    }),
  },
  'shop-formats/shop-rows': {
    createShopRows: file((bytes) => {
      const format = {
        profile: shopFormatSchema.parse({ kind: 'stock' }),
        policy: columnPolicySchema.parse({ roles: { sku: 'a', quantity: 'b' } }),
        quantityColumn: null,
        isNdjson: true,
      }
      const options = { categoryReading: null, categories: null, format, signal }
      return unlessRefusedLater(filterFile(inChunks(bytes), options, async () => undefined))
    }),
  },
  'shop-formats/stock-reader': {
    createStockReader: texts((parts) => {
      const texted = parts.slice(0, 100).map((text) => ({ text, quantity: 1 }))
      return parts.map(createStockReader({ buffer: 1, cutOff: 1, cap: 9 }, texted, 'comma'))
    }),
  },
}
