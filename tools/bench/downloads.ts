import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { until } from '../../src/e2e/support/rest-client'
import type { NewFeedAddress } from '../../src/shared/schemas/feed-address'
import type { LatestFile } from '../../src/shared/schemas/file'
import type { Bench } from './bench'
import { atLeast } from './goal'
import { compareTimes } from './interleave'
import { requirePrograms, timeCommand } from './peers'
import { compareRequests, toRate } from './rates'
import type { Row } from './row'
import type { Source } from './source'
import type { Stage } from './stage'
import { toSeconds } from './sync-rows'

const KB = 1_000
const DOWNLOADS = 10
/** Reads of a file until it must have been compressed, and the time between two of them. */
const COMPRESSED_WITHIN = 120
const COMPRESSING_MS = 1_000

export const downloadRows: readonly Row[] = [
  {
    number: 7,
    name: 'download-large',
    parts: [{ what: 'download of 100 MB: nginx with sendfile', goal: atLeast(0.8) }],
    async measure(bench) {
      requirePrograms('curl')
      const { sourceUrl, peerUrl } = await publish(bench, 'large', bench.sizes.large)
      const download = (url: string) => () =>
        timeCommand(`curl -sf ${Array(DOWNLOADS).fill(`-o /dev/null ${url}`).join(' ')}`)
      const { runs } = bench
      return [
        toSeconds(await compareTimes({ runs, ours: download(sourceUrl), peer: download(peerUrl) })),
      ]
    },
  },
  {
    number: 8,
    name: 'download-small',
    parts: [
      { what: 'download of 100 KB from a feed address, 16 connections: nginx', goal: atLeast(0.5) },
      { what: 'the same behind a session: nginx', goal: atLeast(0.5) },
    ],
    async measure(bench) {
      const { sourceUrl, fileUrl, cookie, peerUrl } = await publish(bench, 'small', 100 * KB)
      return [
        toRate(await compareRequests(bench, { url: sourceUrl }, { url: peerUrl })),
        toRate(
          await compareRequests(bench, { url: fileUrl, headers: { cookie } }, { url: peerUrl }),
        ),
      ]
    },
  },
  {
    number: 9,
    name: 'not-modified',
    parts: [{ what: '304 at a feed address, 16 connections: nginx', goal: atLeast(0.4) }],
    async measure(bench) {
      const { sourceUrl, peerUrl } = await publish(bench, 'unchanged', 100 * KB)
      const ask = async (url: string) => ({
        url,
        headers: { 'if-none-match': await readTag(url) },
        expectedStatus: 304,
      })
      return [toRate(await compareRequests(bench, await ask(sourceUrl), await ask(peerUrl)))]
    },
  },
  {
    number: 10,
    name: 'download-gzip',
    parts: [
      { what: 'download of 100 MB with gzip: nginx, which compresses each time', goal: atLeast(6) },
    ],
    async measure(bench) {
      requirePrograms('curl')
      const { sourceUrl, compressedPeerUrl } = await publish(bench, 'compressed', bench.sizes.large)
      await awaitCompressed(sourceUrl)
      const download = (url: string) => () =>
        timeCommand(`curl -sf -H 'accept-encoding: gzip' -o /dev/null ${url}`)
      const { runs } = bench
      const ours = download(sourceUrl)
      return [toSeconds(await compareTimes({ runs, ours, peer: download(compressedPeerUrl) }))]
    },
  },
]

/** The tag of a file as it is: that of a compressed copy is another one. */
export async function readTag(url: string): Promise<string> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
  await response.body?.cancel()
  const tag = response.headers.get('etag')
  if (tag === null) throw new Error(`${url} has no tag: ${response.status}`)
  return tag
}

/** Reads a file until it is sent compressed. @throws Error when it never is */
async function awaitCompressed(url: string): Promise<void> {
  for (let attempt = 0; attempt < COMPRESSED_WITHIN; attempt += 1) {
    const response = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })
    await response.body?.cancel()
    if (response.headers.get('content-encoding') === 'gzip') return
    await sleep(COMPRESSING_MS)
  }
  throw new Error('The file is sent without compression')
}

/** Publishes a file of this size to a retailer, and gives it to nginx as well. */
export async function publish(bench: Bench, name: string, sizeBytes: number) {
  const nginx = await bench.nginx()
  await copyFile(await bench.canonicalFile(sizeBytes), join(nginx.root, `${name}.csv`))
  return {
    ...(await publishAt(await bench.stage(), name, await bench.source(sizeBytes))),
    peerUrl: nginx.url(`${name}.csv`),
    compressedPeerUrl: nginx.compressedUrl(`${name}.csv`),
  }
}

/** Publishes a file to a retailer. */
export async function publishAt(stage: Stage, name: string, source: Source) {
  const supplier = await stage.addSupplier(`${name}-supplier`, source.unchangedUrl)
  const { id, rest } = await stage.addRetailer(supplier, `${name}-shop`)
  const address = await rest.send('POST', `/api/retailers/${id}/feed-addresses`)
  const readFile = async () =>
    (await rest.send('GET', `/api/retailers/${id}/latest-file`)).body as LatestFile
  const latest = await until(readFile, (found) => 'downloadUrl' in found)
  const { url } = stage.product
  return {
    sourceUrl: url + (address.body as NewFeedAddress).path,
    fileUrl: url + ('downloadUrl' in latest ? latest.downloadUrl : ''),
    cookie: rest.cookie(),
  }
}
