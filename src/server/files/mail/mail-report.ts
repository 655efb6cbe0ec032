/** What a mail server reports of a mail. */
export interface MailReport {
  /** Whether it has given up for good. */
  isPermanent: boolean
  /** Its status, and what was said, for people. */
  line: string
}

/** The most of a report that is looked at. */
export const MAX_REPORT_BYTES = 32 * 1024
const MAX_GROUPS = 50
/** A status (RFC 3463) at the beginning. */
const STATUS = /^([245]\.\d{1,3}\.\d{1,3})(?!\S)/
const STATUS_WITHIN = /\(#([45]\.\d{1,3}\.\d{1,3})\)/
/** What the other side has said to qmail, which has no status of its own then. */
const REMOTE = /^Remote host said: (([45])\d\d)(?!\d)/m

type Found = { action: string; status: string; text: string }

/**
 * Reads the part of a report that is for programs (RFC 3464). A mail to one address has more than one result when the
 * address stands for several: then it has not failed for good as long as it reached one of them.
 */
export function readStatusReport(text: string): MailReport | null {
  const found = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n\n', MAX_GROUPS)
    .flatMap(readGroup)
  const failed = found.find(({ action, status }) => action === 'failed' && status.startsWith('5'))
  const hasArrived = found.some(({ action }) => ARRIVED.has(action))
  if (failed && !hasArrived) return { isPermanent: true, line: toLine(failed) }
  const late = found.find(({ action }) => action === 'failed' || action === 'delayed')
  return late ? { isPermanent: false, line: toLine(late) } : null
}

const ARRIVED = new Set(['delivered', 'relayed', 'expanded'])

/** What is said of one recipient; nothing of other groups, and of those without a status. */
function readGroup(group: string): Found[] {
  const fields = new Map<string, string>()
  for (const line of group.split('\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    if (!fields.has(name)) fields.set(name, line.slice(colon + 1).trim())
  }
  const [action = ''] = (fields.get('action') ?? '').toLowerCase().split(/[\s(;]/, 1)
  const status = STATUS.exec(fields.get('status') ?? '')?.[1]
  if (action === '' || status === undefined) return []
  const said = fields.get('diagnostic-code') ?? ''
  return [{ action, status, text: said.slice(said.indexOf(';') + 1).trim() }]
}

/**
 * Reads the report of qmail and others of its form (QSBMF), which comes as a plain text. Other plain texts are no reports:
 * they may be of people, or of programs that answer for them.
 */
export function readPlainReport(text: string): MailReport | null {
  const [beginning = '', ...others] = text
    .replaceAll(/\r\n?/g, '\n')
    .trim()
    .split('\n\n', MAX_GROUPS)
  if (!beginning.startsWith('Hi. This is the ')) return null
  const failure = others.find((paragraph) => paragraph.startsWith('<'))
  if (failure === undefined) return null
  const said = failure.slice(failure.indexOf('\n') + 1)
  const [, code = '', kind] = REMOTE.exec(said) ?? []
  const status = STATUS_WITHIN.exec(said)?.[1] ?? (kind === undefined ? undefined : `${kind}.0.0`)
  if (status === undefined) return null
  const from = code === '' ? 0 : said.indexOf(code)
  return {
    isPermanent: status.startsWith('5'),
    line: toLine({ action: 'failed', status, text: said.slice(from) }),
  }
}

const toLine = ({ status, text }: Found): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.includes(status) || status.endsWith('.0.0')
    ? line || status
    : `${status} ${line}`.trim()
}
