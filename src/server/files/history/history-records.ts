import { RECORD_WORDS, type RecordBlock } from '../keys/key-records'

/**
 * A history file has records as large as those of a key file, sorted like them by the hash of the key and then by time:
 * the hash, a time in whole seconds, a hash of the category cell, and the quantity and the price as doubles (NaN: none).
 * There are three kinds of files:
 *
 * - `state`: what each item was at one time. Its time is when it was first seen; an item that has left has that time
 *   instead of its quantity.
 * - `changes`: what items have become since that state.
 * - `past`: what items were before the changes that led to that state, each with the time of its change.
 *
 * So a file of the past can be dropped without writing another one, and nothing has to be read to add one.
 */
export interface ItemState {
  /** null: the item is not in the file. */
  category: number | null
  quantity: number | null
  price: number | null
}

/** Unix seconds. */
export type HistoryRecord = ItemState & { time: number }

export const ABSENT: ItemState = { category: null, quantity: null, price: null }

/** The category of an item that is not in the file; `hashCategory` returns it for no text. */
const ABSENT_WORD = 0xffff_ffff

export function readHistoryRecord({ words, doubles }: RecordBlock, record: number): HistoryRecord {
  const at = record * RECORD_WORDS
  const category = words[at + 3] as number
  return {
    time: words[at + 2] as number,
    category: category === ABSENT_WORD ? null : category,
    quantity: fromDouble(doubles[at / 2 + 2] as number),
    price: fromDouble(doubles[at / 2 + 3] as number),
  }
}

/** Writes all of a record but the hash of its key. */
export function putHistoryRecord(
  { words, doubles }: RecordBlock,
  record: number,
  { time, category, quantity, price }: HistoryRecord,
): void {
  const at = record * RECORD_WORDS
  words[at + 2] = time
  words[at + 3] = category ?? ABSENT_WORD
  doubles[at / 2 + 2] = quantity ?? Number.NaN
  doubles[at / 2 + 3] = price ?? Number.NaN
}

export const isSameState = (one: ItemState, other: ItemState): boolean =>
  one.category === other.category && one.quantity === other.quantity && one.price === other.price

const fromDouble = (number: number) => (Number.isNaN(number) ? null : number)
