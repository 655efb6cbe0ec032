import { expect, it } from 'vitest'

import { SFTP_LIMITS } from '../limits'
import type { Parent } from '../parent'
import { createListing, type TreeContext } from './trees'
import { beginUpload } from './upload'

/** A parent that answers when it is told to, and remembers what it was asked. */
function createParent() {
  const asked: { type: string; bytes: number }[] = []
  const open: (() => void)[] = []
  const ask = (question: { type: string }, bytes: readonly Uint8Array[] = []) => {
    asked.push({ type: question.type, bytes: Buffer.concat(bytes).length })
    return new Promise((resolve) => {
      open.push(() => resolve({ answer: { type: 'listed', entries: [] }, bytes: [] }))
    })
  }
  return {
    parent: { ask, tell: () => undefined } as unknown as Parent,
    asked,
    /** Answers all that is asked, until nothing is. */
    async answer() {
      for (let idle = 0; idle < 5; idle++) {
        while (open.length > 0) {
          idle = 0
          open.shift()!()
        }
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

const numbers = { session: 1, upload: 1, limits: SFTP_LIMITS, onUntaken: () => undefined }

it('many small parts of a file are few messages', async () => {
  const { parent, asked, answer } = createParent()
  const beginning = beginUpload('stock.csv', { parent, ...numbers })
  await answer()
  const upload = await beginning
  const written = Array.from({ length: 500 }, (_, at) => upload.write(at, Buffer.from('x')))
  const naming = upload.name('stock.csv')
  await answer()
  await Promise.all([...written, naming])
  expect(asked).toEqual([
    { type: 'put', bytes: 0 },
    { type: 'piece', bytes: 1 },
    { type: 'piece', bytes: 499 },
    { type: 'name', bytes: 0 },
  ])
})

it('many requests of a session wait for one listing, which begins after them', async () => {
  const { parent, asked, answer } = createParent()
  const list = createListing({ parent, session: 1 } as TreeContext)
  const listings = Array.from({ length: 500 }, () => list())
  await answer()
  await Promise.all(listings)
  expect(asked).toHaveLength(2)
})
