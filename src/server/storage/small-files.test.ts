import { Readable } from 'node:stream'

import { describe, expect, it } from 'vitest'

import { createSmallFiles } from './small-files'

const MB = 1024 * 1024

/** Files of which each has its name as content, padded to `sizeBytes`; names beginning with `no` are missing. */
function openFiles(sizeBytes = 3) {
  const reads: string[] = []
  const files = createSmallFiles({
    read: async (sha256) => {
      reads.push(sha256)
      if (sha256.startsWith('no')) throw new Error('There is no such file')
      return Readable.from([Buffer.from(sha256.padEnd(sizeBytes))])
    },
  })
  const read = async (name: string) => (await files.read(name, sizeBytes))?.toString().trim()
  return { reads, read }
}

describe('small files', () => {
  it('are read from disk once, also by concurrent readers', async () => {
    const { reads, read } = openFiles()
    expect(await Promise.all([read('a'), read('a'), read('b')])).toEqual(['a', 'a', 'b'])
    expect(await read('a')).toBe('a')
    expect(reads).toEqual(['a', 'b'])
  })

  it('may be empty', async () => {
    const { reads, read } = openFiles(0)
    expect([await read(''), await read('')]).toEqual(['', ''])
    expect(reads).toEqual([''])
  })

  it('that are missing are looked for again', async () => {
    const { reads, read } = openFiles()
    await expect(read('no')).rejects.toThrow('There is no such file')
    await expect(read('no')).rejects.toThrow('There is no such file')
    expect(reads).toEqual(['no', 'no'])
  })

  it('are forgotten in the order of their last use, when they take more than 32 MB', async () => {
    const { reads, read } = openFiles(MB)
    await read('first')
    await read('second')
    for (let index = 0; index < 29; index++) await read(`${index}`)
    await read('first')
    await read('last')
    reads.splice(0)
    await read('first')
    await read('last')
    expect(reads).toEqual([])
    await read('second')
    expect(reads).toEqual(['second'])
  })

  it('do not include those of more than 1 MB', async () => {
    const { reads, read } = openFiles(MB + 1)
    expect(await read('a')).toBeUndefined()
    expect(reads).toEqual([])
  })
})
