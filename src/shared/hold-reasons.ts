import type { HoldReason } from './schemas/publishing'

const ROLES = { key: 'key', quantity: 'quantity', category: 'category' } as const

/** Says why a file is held, as one sentence with its numbers. */
export function describeHold(reason: HoldReason): string {
  switch (reason.rule) {
    case 'rows':
      return `It has ${count(reason.after)} rows; the published file has ${count(reason.before)} (${formatChange(reason)}).`
    case 'quantity':
      return `Its quantities in “${reason.column}” add up to ${count(reason.after)}; those of the published file to ${count(reason.before)} (${formatChange(reason)}).`
    case 'keys':
      return `Of ${count(reason.known)} items, found by “${reason.column}”, ${losses(reason)}${examples(reason.examples)}.`
    case 'column':
      return `The ${ROLES[reason.role]} column “${reason.column}” is gone.`
    case 'overlay':
      return `The second address has no column “${reason.column}” any more: that of the first would take its place.`
    case 'rolled-back':
      return `It is the file that you replaced by an older one (${reason.fileName}).`
  }
}

function losses({ gone, newlyZero }: { gone: number; newlyZero: number }): string {
  const parts = [
    ...(gone > 0 ? [`${count(gone)} are gone`] : []),
    ...(newlyZero > 0 ? [`${count(newlyZero)} are newly at 0`] : []),
  ]
  return parts.join(' and ')
}

/** Numbers in messages that also go out by mail: grouped in the same way for everybody. */
const count = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 2 })

/** `−89.6 %`: by how much a value is lower or higher. */
export function formatChange({ before, after }: { before: number; after: number }): string {
  const percent = before === 0 ? 0 : (100 * (after - before)) / before
  const shown =
    Math.abs(percent) >= 99.95 || percent === 0 ? percent.toFixed(0) : percent.toFixed(1)
  return `${shown.replace('-', '−')}\u00a0%`
}

const examples = (keys: string[]) => (keys.length > 0 ? `, for example ${keys.join(', ')}` : '')
