import type { RecordPlace } from '../../../../shared/schemas/record-place'
import type { DocumentForm } from '../../../../shared/table-forms'
import type { Candidate } from './candidates'
import type { ChosenPath } from './collect'
import { DOCUMENT } from './json-nodes'
import { type ShapeNode, findNode, pathOf } from './shape'

/** The names above those that are told: the documents of JSON have none. */
const above = (form: DocumentForm): string[] => (form === 'xml' ? [] : [DOCUMENT])

export const separatorOf = (form: DocumentForm): '/' | '.' => (form === 'xml' ? '/' : '.')

export function toChosenPath({ path, variants }: RecordPlace, form: DocumentForm): ChosenPath {
  const toRecord = [...above(form), ...path]
  return { names: [...toRecord, ...(variants ?? [])], recordSteps: toRecord.length }
}

export function toPlace({ record, variant }: Candidate, form: DocumentForm): RecordPlace {
  return {
    path: pathOf(record).slice(above(form).length),
    variants: variant && pathOf(variant, record),
  }
}

export const isSamePlace = (one: RecordPlace, other: RecordPlace): boolean =>
  JSON.stringify([one.path, one.variants]) === JSON.stringify([other.path, other.variants])

/** Whether there are records at a place, and among them variants if it has any. */
export function hasPlace(
  root: ShapeNode,
  { path, variants }: RecordPlace,
  form: DocumentForm,
): boolean {
  const record = findNode(root, [...above(form), ...path])
  const found = variants && record ? findNode(record, variants) : record
  return found !== undefined && found.count > 0
}

/** `catalog/products/product, one row for each of variants/variant`. */
export function describePlace({ path, variants }: RecordPlace, form: DocumentForm): string {
  const records = namePath(path, form) || 'the list'
  return variants ? `${records}, one row for each of ${namePath(variants, form)}` : records
}

const namePath = (path: string[], form: DocumentForm) => path.join(separatorOf(form))
