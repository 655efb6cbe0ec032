import { PassThrough, Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect, it } from 'vitest'

import { packArchive } from './backup-archive'

const SIZE = 8 * 1024 * 1024
/** A part of which a reader takes only the beginning. */
const openPart = () => Readable.from([Buffer.alloc(SIZE)], { objectMode: false })

it.each([
  ['before anything was read', async () => undefined],
  [
    'once something was read',
    async (archive: Readable) => void (await archive[Symbol.asyncIterator]().next()),
  ],
])('an archive that is destroyed %s closes the part that it has open', async (_when, read) => {
  const opened: Readable[] = []
  const open = () => {
    opened.push(openPart())
    return opened.at(-1)!
  }
  const archive = packArchive([{ name: 'part', sizeBytes: SIZE, open }], new Date(0))
  await read(archive)
  await nextTurn()
  archive.destroy()
  await expect.poll(() => opened.map(({ destroyed }) => destroyed)).toEqual([true])
})

it('an archive that is destroyed while it opens a part closes that part', async () => {
  const part = new PassThrough()
  let opened = (_part: Readable) => {}
  const opening = new Promise<Readable>((resolve) => (opened = resolve))
  const parts = [{ name: 'part', sizeBytes: SIZE, open: () => opening }]
  const archive = packArchive(parts, new Date(0))
  archive.destroy()
  await nextTurn()
  opened(part)
  await expect.poll(() => part.destroyed).toBe(true)
})
