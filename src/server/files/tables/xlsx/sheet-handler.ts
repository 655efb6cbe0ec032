import type { ProblemLog } from '../../read/problems'
import type { HiddenColumns } from '../hidden-columns'
import { isoText } from '../iso-text'
import { outOfBounds } from '../row-writer'
import { SHEET_NOTES } from '../sheet-notes'
import { MAX_COLUMNS, MAX_ROWS, cellTooLong, damagedWorkbook } from '../workbook'
import type { XmlAttributes, XmlHandler } from '../xml-parser'
import type { CellBatch } from './cell-batch'
import type { CellContext } from './cell-context'
import { MAX_ESCAPED_CHARACTERS, unescapeText } from './escapes'
import { formattedNumber } from './formatted-number'
import { isTrue } from './package'
import { createTextCollector } from './text-collector'

const A = 0x41

/** Finds the cells of a worksheet. */
export function createSheetHandler(
  batch: CellBatch,
  hiddenColumns: HiddenColumns,
  notes: ProblemLog,
  { styles, is1904, isUncalculated }: CellContext,
): XmlHandler {
  /** The depth of the rows' parent; 0 outside of it. */
  let sheetDepth = 0
  let row = 0
  /** Whether the row has no number of its own. */
  let isRowImplied = false
  let isRowHidden = false
  let column = -1
  let type = ''
  let style = 0
  let value = ''
  let hasValue = false
  let hasFormula = false
  let isInline = false
  let isCollecting = false
  let hasFilter = false
  const inline = createTextCollector()

  function noteFilter(): void {
    if (!hasFilter) notes.add(null, SHEET_NOTES.filter)
    hasFilter = true
  }

  function openRow({ r, hidden }: XmlAttributes): void {
    isRowImplied = r === undefined
    const next = r === undefined ? row + 1 : Number(r)
    if (!Number.isInteger(next) || next > MAX_ROWS) throw outOfBounds()
    if (next <= row) throw outOfOrder(row)
    row = next
    column = -1
    isRowHidden = isTrue(hidden)
  }

  function openCell({ r, t = 'n', s }: XmlAttributes): void {
    if (r === undefined) column++
    else moveTo(r)
    if (column >= MAX_COLUMNS) throw outOfBounds()
    type = t
    style = s === undefined ? 0 : Number(s)
    value = ''
    hasValue = false
    hasFormula = false
    isInline = false
  }

  /** @param reference for example `AB12` */
  function moveTo(reference: string): void {
    let at = 0
    let letters = 0
    for (; at < reference.length; at++) {
      const letter = reference.charCodeAt(at) & ~0x20
      if (letter < A || letter >= A + 26) break
      letters = 26 * letters + letter - A + 1
    }
    let number = 0
    const isLetters = at > 0 && at <= 3 && at < reference.length
    for (; at < reference.length; at++) number = 10 * number + reference.charCodeAt(at) - 0x30
    if (!isLetters || !(number >= 1) || number > MAX_ROWS || letters > MAX_COLUMNS)
      throw outOfBounds()
    if (letters - 1 <= column) throw outOfOrder(row)
    if (number !== row) {
      if (!isRowImplied || number < row || column >= 0) throw outOfOrder(row)
      row = number
    }
    column = letters - 1
  }

  function closeCell(): void {
    if (hasFormula && type !== 'str' && (!hasValue || value === '')) {
      notes.add(row, SHEET_NOTES.formulas)
      return
    }
    // What programs write that do not calculate.
    if (hasFormula && isUncalculated && value === '0') notes.add(row, SHEET_NOTES.uncalculated)
    if (isRowHidden && (isInline || value !== '')) {
      notes.add(row, SHEET_NOTES.hiddenRows)
      isRowHidden = false
    }
    if (isInline && !hasValue) batch.addText(row, column, unescapeText(inline.take(), row))
    else if (value !== '') addValue()
  }

  function addValue(): void {
    switch (type) {
      case 's':
        batch.addShared(row, column, sharedIndex(value))
        return
      case 'b':
        batch.addText(row, column, isTrue(value.trim()) ? 'TRUE' : 'FALSE')
        return
      case 'e':
        notes.add(row, SHEET_NOTES.errors)
        batch.addText(row, column, value)
        return
      case 'd':
        batch.addText(row, column, isoText(value))
        return
      case 'n':
        addNumber()
        return
      default:
        batch.addText(row, column, unescapeText(value, row))
    }
  }

  function addNumber(): void {
    const { text, isDamaged } = formattedNumber(value, styles(style), is1904)
    if (isDamaged) notes.add(row, SHEET_NOTES.longNumbers)
    batch.addText(row, column, text)
  }

  return {
    open(name, attributes, depth) {
      if (sheetDepth === 0) {
        if (name === 'sheetData') sheetDepth = depth
        else if (name === 'filterColumn') noteFilter()
        else if (name === 'col' && isTrue(attributes.hidden)) {
          hiddenColumns.add(Number(attributes.min) - 1, Number(attributes.max) - 1)
        }
        return
      }
      switch (depth - sheetDepth) {
        case 1:
          if (name === 'row') openRow(attributes)
          return
        case 2:
          if (name === 'c') openCell(attributes)
          return
        case 3:
          if (name === 'v') {
            hasValue = true
            isCollecting = true
          } else if (name === 'f') hasFormula = true
          else if (name === 'is') {
            isInline = true
            inline.start()
          }
          return
        default:
          if (isInline) inline.open(name)
      }
    },
    close(name, depth) {
      if (depth === sheetDepth) {
        sheetDepth = 0
        return
      }
      if (sheetDepth === 0) return
      switch (depth - sheetDepth) {
        case 2:
          if (name === 'c') closeCell()
          return
        case 3:
          isCollecting = false
          return
        default:
          if (isInline) inline.close(name)
      }
    },
    text(text) {
      if (isCollecting) {
        value += text
        if (value.length > MAX_ESCAPED_CHARACTERS) throw cellTooLong(row)
      } else if (isInline) inline.add(text, row)
    },
  }
}

function sharedIndex(text: string): number {
  const index = Number(text)
  if (!Number.isInteger(index) || index < 0) throw damagedWorkbook('a cell refers to no text')
  return index
}

function outOfOrder(row: number) {
  return damagedWorkbook(`its rows or cells are not in their order near row ${row}`)
}
