import { isDeepStrictEqual } from 'node:util'

import type { AuditChange } from '../../../../shared/schemas/audit'

/** What an object is like, by field. Objects are compared field by field. */
export type AuditedState = Readonly<Record<string, unknown>>

const RAW = Symbol('a value that is compared but never stored')
const SECRET = '••••••'

const MAX_FIELDS = 40
const MAX_VALUE_LENGTH = 300
const MAX_LISTED = 8
/** Of all values together; a page has fifty entries. */
export const MAX_AUDITED_LENGTH = 2_500

/** A value of which only the change is recorded, and `shown` if it is given. */
export function hidden(raw: unknown, shown = SECRET): object | null {
  return raw === null || raw === undefined ? null : { [RAW]: raw, shown }
}

/**
 * The fields that differ between two states, as texts of bounded length. Without one of the states:
 * everything that the other one has.
 */
export function toAuditChanges(
  before: AuditedState | undefined,
  after: AuditedState | undefined,
): AuditChange[] {
  const [old, current] = [flatten(before), flatten(after)]
  const fields = [...new Set([...old.keys(), ...current.keys()])]
  const changes = fields
    .filter((field) => !isDeepStrictEqual(old.get(field) ?? null, current.get(field) ?? null))
    .slice(0, MAX_FIELDS)
    .map((field) => toChange(field, old.get(field) ?? null, current.get(field) ?? null))
    .filter(({ before: was, after: is }) => was !== null || is !== null)
  return boundTogether(changes)
}

/** The changes of an entry and of one after it, as one: from the first value before to the last after. */
export function mergeAuditChanges(
  earlier: readonly AuditChange[],
  later: readonly AuditChange[],
): AuditChange[] {
  const merged = new Map(earlier.map((change) => [change.field, change]))
  for (const change of later) {
    const first = merged.get(change.field) ?? change
    merged.set(change.field, { ...change, before: first.before })
  }
  return boundTogether([...merged.values()])
}

function boundTogether(changes: AuditChange[]): AuditChange[] {
  let room = MAX_AUDITED_LENGTH
  return changes.map((change) => {
    room -= (change.before?.length ?? 0) + (change.after?.length ?? 0)
    return room >= 0 ? change : { field: change.field, before: null, after: '…' }
  })
}

function toChange(field: string, before: unknown, after: unknown): AuditChange {
  const [old, current] = isTexts(before) && isTexts(after) ? withoutCommon(before, after) : []
  return { field, before: toText(old ?? before), after: toText(current ?? after) }
}

/** The fields of nested objects, with their path as the name. */
function flatten(state: AuditedState = {}, prefix = ''): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const [name, value] of Object.entries(state)) {
    if (!isNested(value)) fields.set(prefix + name, value)
    else for (const [path, inner] of flatten(value, `${prefix}${name}.`)) fields.set(path, inner)
  }
  return fields
}

function isNested(value: unknown): value is AuditedState {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(RAW in value)
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/** Of long lists of names only what was removed and what was added is worth telling, if anything was. */
function withoutCommon(before: string[], after: string[]): string[][] {
  const [old, current] = [new Set(before), new Set(after)]
  const removed = before.filter((item) => !current.has(item))
  const added = after.filter((item) => !old.has(item))
  return removed.length + added.length > 0 ? [removed, added] : [before, after]
}

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.length === 0 ? null : clip(listTexts(value.map(toWords)))
  if (typeof value === 'object' && RAW in value) return clip((value as { shown?: string }).shown)
  return clip(toWords(value))
}

/** An item of a list is told by its values. */
function toWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' && value !== null
    ? Object.values(value).join(' ')
    : String(value)
}

function listTexts(texts: string[]): string {
  const named = texts.slice(0, MAX_LISTED).map((text) => text.slice(0, MAX_VALUE_LENGTH))
  const more = texts.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function clip(text = ''): string {
  const short = text.slice(0, MAX_VALUE_LENGTH)
  return short.length < text.length ? `${short.toWellFormed()}…` : text
}
