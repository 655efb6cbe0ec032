/** The filters of the audit log, kept in the URL. What is not chosen is left out. */
export interface AuditView {
  /** A username. */
  who?: string | undefined
  /** An action such as `retailer.update`, or a noun such as `retailer` for all of its actions. */
  what?: string | undefined
  /** The first and the last day, as 2026-01-31. */
  from?: string | undefined
  to?: string | undefined
  supplier?: number | undefined
  /** The id of what it was done to; its kind is in `what`. */
  subject?: number | undefined
}

const WHAT = /^[a-z]{1,20}(?:\.[a-z-]{1,40})?$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const MAX_NAME_LENGTH = 100

/** Reads a view from URL parameters, dropping what is not valid. */
export function readAuditView(search: Record<string, unknown>): AuditView {
  const { who, what, from, to, supplier, subject } = search
  // The router parses a name of digits as a number.
  const name = typeof who === 'number' ? String(who) : who
  return {
    who: typeof name === 'string' && name !== '' ? name.slice(0, MAX_NAME_LENGTH) : undefined,
    what: matching(WHAT, what),
    from: matching(DAY, from),
    to: matching(DAY, to),
    supplier: readNumber(supplier),
    subject: readNumber(subject),
  }
}

const matching = (pattern: RegExp, value: unknown) =>
  typeof value === 'string' && pattern.test(value) ? value : undefined

const readNumber = (value: unknown) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
