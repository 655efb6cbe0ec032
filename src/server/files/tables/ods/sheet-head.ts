import { createProblemLog } from '../../read/problems'
import { createHiddenColumns } from '../hidden-columns'
import { createRowWriter } from '../row-writer'
import type { ElementHandler } from '../xml-parser'
import { createOdsHandler } from './ods-handler'
import type { OdsStyles } from './ods-styles'
import { writeRow } from './write-row'

/** Collects the first rows of a sheet, as much as one chunk has. */
export interface SheetHeadEvents extends ElementHandler {
  /** Writes the rows that have ended. To be called now and then. */
  write(): void
  end(): SheetHead
}

/** A sheet may have any fault if it is not the one that is wanted. */
export type SheetHead = { chunk: Buffer | undefined } | { failure: unknown }

/** @param cell is used while rows are written */
export function createSheetHead(styles: OdsStyles, cell: Buffer): SheetHeadEvents {
  const handler = createOdsHandler(styles, createHiddenColumns(), createProblemLog())
  const writer = createRowWriter(Infinity)
  let head: SheetHead | undefined

  function attempt(work: () => void): void {
    try {
      work()
    } catch (failure) {
      head = { failure }
    }
  }

  function writeRows(): void {
    for (const row of handler.takeRows()) {
      for (const chunk of writeRow(row, writer, cell)) {
        head = { chunk }
        return
      }
    }
  }

  return {
    open(name, attributes, depth) {
      if (!head) attempt(() => handler.open(name, attributes, depth))
    },
    close(name, depth) {
      if (!head) attempt(() => handler.close(name, depth))
    },
    text(text) {
      if (!head) attempt(() => handler.text(text))
    },
    write() {
      if (!head) attempt(writeRows)
    },
    end() {
      if (!head) attempt(writeRows)
      writer.end()
      return head ?? { chunk: writer.take() }
    },
  }
}
