import { decodeOrKeep } from '../../../../shared/percent-encoding'
import type { Archive, ArchiveEntry } from '../archive'
import { damagedWorkbook, workbookTooLarge } from '../workbook'
import { findAttribute, readXml, type XmlHandler } from '../xml-parser'

/** The parts of an Office document, which name each other by relationships. */
export interface Package {
  find(path: string): ArchiveEntry | undefined
  /** @throws FileError */
  read(entry: ArchiveEntry): AsyncGenerator<Buffer>
  /** @throws FileError */
  readXml(entry: ArchiveEntry, handler: XmlHandler): Promise<void>
  /** The parts that a part names; those of the package for an empty path. */
  relations(path: string): Promise<Relation[]>
}

export interface Relation {
  id: string
  /** Without the namespace, which two editions of the standard write differently. */
  type: string
  path: string
}

const MAX_RELATIONS = 10_000

export function openPackage(archive: Archive): Package {
  const entries = new Map<string, ArchiveEntry>()
  for (const entry of archive.entries) {
    const key = entry.path.toLowerCase()
    if (!entries.has(key)) entries.set(key, entry)
  }
  const find = (path: string) => entries.get(path.toLowerCase())
  const parts: Package = {
    find,
    read: (entry) => archive.read(entry),
    readXml: (entry, handler) => readXml(archive.read(entry), handler, damagedPart(entry)),
    async relations(path) {
      const slash = path.lastIndexOf('/') + 1
      const entry = find(`${path.slice(0, slash)}_rels/${path.slice(slash)}.rels`)
      const relations: Relation[] = []
      if (!entry) return relations
      await parts.readXml(entry, {
        open(name, attributes) {
          if (name !== 'Relationship' || attributes.TargetMode === 'External') return
          if (relations.length >= MAX_RELATIONS) throw workbookTooLarge('too many parts')
          const { Id = '', Type = '', Target = '' } = attributes
          relations.push({
            id: Id,
            type: Type.slice(Type.lastIndexOf('/') + 1),
            path: resolveTarget(path.slice(0, slash), Target),
          })
        },
        close: () => undefined,
      })
      return relations
    },
  }
  return parts
}

/** The part that is related in this way; empty if there is none. */
export const pathOf = (relations: readonly Relation[], type: string): string =>
  relations.find((relation) => relation.type === type)?.path ?? ''

export const damagedPart = (entry: ArchiveEntry) => (why: string) =>
  damagedWorkbook(`its part “${entry.path.slice(-100)}” cannot be read: ${why}`)

/** Whether an attribute is set, as the standard allows it to be written. */
export const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'

/** @param folder of the part that names the target, with a slash at its end */
function resolveTarget(folder: string, target: string): string {
  const plain = decodeOrKeep(target.replaceAll('\\', '/').replace(/[?#].*$/s, ''))
  const path: string[] = []
  for (const name of (plain.startsWith('/') ? plain : folder + plain).split('/')) {
    if (name === '..') path.pop()
    else if (name !== '.' && name !== '') path.push(name)
  }
  return path.join('/')
}

/** The types of the parts by their paths, as the package declares them. */
export async function readContentTypes(parts: Package): Promise<Map<string, string>> {
  const types = new Map<string, string>()
  const entry = parts.find('[Content_Types].xml')
  if (!entry) return types
  await parts.readXml(entry, {
    open(name, attributes) {
      if (name !== 'Override') return
      if (types.size >= MAX_RELATIONS) throw workbookTooLarge('too many parts')
      const path = (findAttribute(attributes, 'PartName') ?? '').replace(/^\/+/, '')
      types.set(path, findAttribute(attributes, 'ContentType') ?? '')
    },
    close: () => undefined,
  })
  return types
}
