// Fetches a file, parses it with csv-parse, hashes it and writes it to the disk, and does nothing else.
import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { parse } from 'csv-parse'

/** Which file to fetch, and how often. */
export type PlainSyncs = { url: string; count: number }
/** The time on a processor that they took in all, in milliseconds. */
export type PlainSyncsTaken = { cpuMs: number }

const MICROSECONDS = 1_000

process.on('message', (task: PlainSyncs) => void run(task))
process.on('disconnect', () => process.exit())
process.send?.({})

async function run({ url, count }: PlainSyncs): Promise<void> {
  const before = process.cpuUsage()
  for (let done = 0; done < count; done += 1) await sync(url)
  const { user, system } = process.cpuUsage(before)
  process.send?.({ cpuMs: (user + system) / MICROSECONDS } satisfies PlainSyncsTaken)
}

async function sync(url: string): Promise<void> {
  const path = join(tmpdir(), `plain-sync-${process.pid}.csv`)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, resolve).once('error', reject)
  })
  const parser = parse()
  parser.on('data', () => undefined)
  const parsed = new Promise((resolve, reject) => parser.once('end', resolve).once('error', reject))
  const hash = createHash('sha256')
  const file = await open(path, 'w')
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    hash.update(chunk)
    parser.write(chunk)
    await file.write(chunk)
  }
  parser.end()
  await parsed
  hash.digest()
  await file.sync()
  await file.close()
  await rm(path)
}
