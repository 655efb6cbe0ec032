/** Where mail servers note for whom a mail was, the surest first. */
export const RECIPIENT_HEADERS = [
  'delivered-to',
  'x-original-to',
  'envelope-to',
  'to',
  'cc',
] as const

const MAX_HEADER_LENGTH = 64 * 1024
const MAX_RECIPIENTS = 50
const MAX_ADDRESS_LENGTH = 254
const ADDRESS = /[^\s<>()[\]\\,;:"@]{1,64}@[A-Za-z0-9.-]{1,190}/g

/** The addresses for which a mail may be, by its header, the surest first. */
export function findRecipients(header: string): string[] {
  const fields = new Map<string, string[]>()
  for (const field of header
    .slice(0, MAX_HEADER_LENGTH)
    .replaceAll(/\r?\n[ \t]/g, ' ')
    .split(/\r?\n/)) {
    const colon = field.indexOf(':')
    const name = field.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const addresses = field.slice(colon + 1).match(ADDRESS) ?? []
    fields.set(name, [...(fields.get(name) ?? []), ...addresses])
  }
  const found = RECIPIENT_HEADERS.flatMap((name) => fields.get(name) ?? [])
  const short = found.filter(({ length }) => length <= MAX_ADDRESS_LENGTH)
  return [...new Set(short)].slice(0, MAX_RECIPIENTS)
}
