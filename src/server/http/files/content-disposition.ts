import type { ReadableFile } from '../../features/catalogue/versions/connection-files'

type NamedFile = Pick<ReadableFile, 'title' | 'dataAsOf' | 'form'>

/** The longest title in a file name; together with the date, every file system accepts it. */
const MAX_CHARACTERS = 80
/** What follows of a title is ignored. */
const MAX_TITLE_LENGTH = 1_000

/**
 * The `Content-Disposition` of a download, after RFC 6266: `Northbeck-Outdoor-2026-11-21.csv`, with the
 * date of the data in UTC, unless the form has a name of its own. A title with other letters is sent in
 * full as `filename*`, and `filename` has what is left of it in ASCII. Both consist of safe characters
 * only, whatever the title contains.
 * @param file with a title such as a company's name, as somebody has typed it
 */
export function contentDisposition({ title, dataAsOf, form }: NamedFile): string {
  const end = `-${new Date(dataAsOf).toISOString().slice(0, 10)}.${form.extension}`
  if (form.name !== undefined) return attachmentOf(`${form.name}.${form.extension}`)
  const full = (toFileName(title) || 'Inventory') + end
  const plain = (toFileName(toAscii(title)) || 'Inventory') + end
  const encoded = full === plain ? '' : `; filename*=UTF-8''${encodeURIComponent(full)}`
  return `attachment; filename="${plain}"${encoded}`
}

function attachmentOf(name: string): string {
  const plain = toAscii(name).replaceAll(/[^\w .()+-]/g, '')
  const encoded = name === plain ? '' : `; filename*=UTF-8''${encodeURIComponent(name)}`
  return `attachment; filename="${plain}"${encoded}`
}

/** Letters and digits of any script, with single hyphens for everything between them. */
function toFileName(title: string): string {
  const words =
    title
      .slice(0, MAX_TITLE_LENGTH)
      .normalize('NFC')
      .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []
  return Array.from(words.join('-')).slice(0, MAX_CHARACTERS).join('').replace(/-$/, '')
}

/** Without accents; letters that have no ASCII form separate words. */
const toAscii = (title: string) =>
  title
    .slice(0, MAX_TITLE_LENGTH)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // oxlint-disable-next-line no-control-regex -- the range of ASCII begins with them
    .replace(/[^\x00-\x7f]/g, ' ')
