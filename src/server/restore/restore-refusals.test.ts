import {
  appendFile,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  open,
  rm,
  stat,
  truncate,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import {
  editManifest,
  makeSampleBackup,
  refusal,
  repack,
  type ArchiveEntry,
  type SampleBackup,
} from '../testing/fixtures/backups'

let backup: SampleBackup
let directory: string
/** Copies of the backup that the tests damage. */
let archive: string
let folder: string

beforeAll(async () => {
  backup = await makeSampleBackup()
})
afterAll(() => backup.remove())
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stockbridge-damaged-'))
  archive = join(directory, 'backup.tar')
  folder = join(directory, 'backup')
  await copyFile(backup.archive, archive)
  await cp(backup.folder, folder, { recursive: true })
})
afterEach(() => rm(directory, { recursive: true }))

const part = (name: string, text = 'sku\r\n') => ({ name, content: Buffer.from(text) })

/** Overwrites bytes of a part without changing its size. */
function overwrite(name: RegExp, at: number, text: string) {
  return (parts: ArchiveEntry[]) => {
    Buffer.from(text).copy(parts.find((entry) => name.test(entry.name))!.content, at)
    return parts
  }
}

function rename(name: string) {
  return (parts: ArchiveEntry[]) =>
    parts.map((entry, index) => (index === 2 ? { ...entry, name } : entry))
}

const changes: [what: string, edit: (parts: ArchiveEntry[]) => ArchiveEntry[], says: RegExp][] = [
  ['a changed byte in the database', overwrite(/app\.db/, 20_000, 'X'), /the database was changed/],
  ['a changed byte in a file', overwrite(/csv/, 9, '9'), /the inventory file \w+ was changed/],
  [
    'a wrong row count',
    editManifest((manifest) => {
      manifest.database.rowCounts.retailers = 4
      return manifest
    }),
    /retailers has 3 rows instead of 4/,
  ],
  [
    'an unknown table',
    editManifest((manifest) => {
      manifest.database.rowCounts.stock = 1
      return manifest
    }),
    /stock has 0 rows instead of 1/,
  ],
  [
    'a wrong hash of the database',
    editManifest((manifest) => {
      manifest.database.sha256 = '0'.repeat(64)
      return manifest
    }),
    /the database was changed/,
  ],
  [
    'an older schema than the database has',
    editManifest((manifest) => ({ ...manifest, migrations: ['0001-initial'] })),
    /the database schema is not the product/,
  ],
  ['an additional part', (parts) => [...parts, part('files/x.csv')], /bytes instead of/],
  ['a missing part', (parts) => parts.slice(0, -1), /bytes instead of/],
  [
    'a duplicate part',
    (parts) => [...parts.slice(0, 3), parts[2]!],
    /csv is missing or has another/,
  ],
  ['a path with ../', rename('../../../stock.csv'), /csv is missing or has another size/],
  ['an absolute path', rename('/tmp/stock.csv'), /csv is missing or has another size/],
  ['no manifest', (parts) => parts.slice(1), /it has no manifest/],
  ['an invalid manifest', () => [part('manifest.json', '{}')], /it has no manifest/],
  [
    'a file missing in both manifest and archive',
    (parts) =>
      editManifest((manifest) => ({ ...manifest, files: manifest.files.slice(0, 1) }))(
        parts.slice(0, 3),
      ),
    /the inventory file \w+ is missing/,
  ],
  [
    'a newer format',
    editManifest((manifest) => ({ ...manifest, formatVersion: 2 })),
    /a newer version of the product made it/,
  ],
  [
    'a newer schema',
    editManifest((manifest) => ({
      ...manifest,
      productVersion: '9.0.0',
      migrations: [...manifest.migrations, '9999-later'],
    })),
    /version 9\.0\.0 made it, whose database has 9999-later/,
  ],
]

describe('a damaged or changed archive', () => {
  it.each(changes)('is refused and leaves no files: %s', async (_what, edit, says) => {
    const changed = join(directory, 'changed.tar')
    await repack(archive, changed, edit)
    expect(await refusal(changed)).toMatch(says)
  })

  it.each([0, 1, 300, 512, 1_536, 100_000])(
    'is refused when it is cut off at %i bytes',
    async (size) => {
      await truncate(archive, size)
      expect(await refusal(archive)).toMatch(
        /^This backup cannot be used: [^,]*(?:, or is cut off \(.*\))?$/,
      )
    },
  )

  it('is refused when a header has no valid size', async () => {
    const handle = await open(archive, 'r+')
    const header = Buffer.alloc(512)
    await handle.read(header, 0, 512, 0)
    header.fill(0x90, 124, 125).fill(' ', 148, 156)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    await handle.write(header, 0, 512, 0)
    await handle.close()
    expect(await refusal(archive)).toBe(
      'This backup cannot be used: it is not an archive, or is cut off (manifest.json has no valid size)',
    )
  })

  it('is refused when only its last block is missing', async () => {
    const { size } = await stat(archive)
    await truncate(archive, size - 512)
    expect(await refusal(archive)).toMatch(`it has ${size - 512} bytes instead of ${size}`)
  })
})

describe('a damaged or changed backup folder', () => {
  const firstFile = () => join(folder, 'files', `${backup.manifest.files[0]!.sha256}.csv`)

  it('is refused when a file is missing', async () => {
    await rm(firstFile())
    expect(await refusal(folder)).toMatch(/csv is missing/)
  })

  it('is refused when a file has changed', async () => {
    await appendFile(firstFile(), '9,9\r\n')
    expect(await refusal(folder)).toMatch(/csv is missing or has another size/)
  })

  it('is refused when a part is a folder', async () => {
    await rm(join(folder, 'app.db'))
    await mkdir(join(folder, 'app.db'))
    expect(await refusal(folder)).toMatch(/app\.db is missing/)
  })

  it('is refused when it is not a backup', async () => {
    expect(await refusal(directory)).toMatch(/it has no manifest$/)
  })
})

describe('a file that is not a backup', () => {
  it('is refused, like a file that does not exist', async () => {
    expect(await refusal(join(folder, 'app.db'))).toMatch(/it is not an archive, or is cut off/)
    expect(await refusal('nowhere.tar')).toBe('There is no nowhere.tar')
  })
})
