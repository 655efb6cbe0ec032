import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'

import { until } from '../../src/e2e/rest-client'
import type { NewFeedAddress } from '../../src/shared/schemas/feed-address'
import type { LatestFile } from '../../src/shared/schemas/file'
import type { Bench } from './bench'
import { atLeast } from './goal'
import { compareTimes } from './interleave'
import { requirePrograms, timeCommand } from './peers'
import { compareRequests, toRate } from './rates'
import type { Row } from './row'
import { startSource } from './source'
import { toSeconds } from './sync-rows'

const KB = 1_000
const DOWNLOADS = 10

export const downloadRows: readonly Row[] = [
  {
    number: 7,
    name: 'download-large',
    parts: [{ what: 'download of 100 MB: nginx with sendfile', goal: atLeast(0.8) }],
    async measure(bench) {
      requirePrograms('curl')
      const { feedUrl, peerUrl } = await publish(bench, 'large', bench.sizes.large)
      const download = (url: string) => () =>
        timeCommand(`curl -sf ${Array(DOWNLOADS).fill(`-o /dev/null ${url}`).join(' ')}`)
      const { runs } = bench
      return [
        toSeconds(await compareTimes({ runs, ours: download(feedUrl), peer: download(peerUrl) })),
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
      const { feedUrl, fileUrl, cookie, peerUrl } = await publish(bench, 'small', 100 * KB)
      return [
        toRate(await compareRequests(bench, { url: feedUrl }, { url: peerUrl })),
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
      const { feedUrl, peerUrl } = await publish(bench, 'unchanged', 100 * KB)
      const ask = async (url: string) => ({
        url,
        headers: { 'if-none-match': (await fetch(url)).headers.get('etag') ?? '' },
        expectedStatus: 304,
      })
      return [toRate(await compareRequests(bench, await ask(feedUrl), await ask(peerUrl)))]
    },
  },
]

/** Publishes a file of this size to a retailer, and gives it to nginx as well. */
async function publish(bench: Bench, name: string, sizeBytes: number) {
  const stage = await bench.stage()
  const nginx = await bench.nginx()
  const file = await bench.canonicalFile(sizeBytes)
  await copyFile(file, join(nginx.root, `${name}.csv`))
  const source = await startSource(file, bench.cleanups)
  const supplier = await stage.addSupplier(`${name}-supplier`, source.unchangedUrl)
  const { id, rest } = await stage.addRetailer(supplier, `${name}-shop`)
  const address = await rest.send('POST', `/api/retailers/${id}/feed-addresses`)
  const readFile = async () =>
    (await rest.send('GET', `/api/retailers/${id}/latest-file`)).body as LatestFile
  const latest = await until(readFile, (found) => 'downloadUrl' in found)
  const { url } = stage.product
  return {
    feedUrl: url + (address.body as NewFeedAddress).path,
    fileUrl: url + ('downloadUrl' in latest ? latest.downloadUrl : ''),
    cookie: rest.cookie(),
    peerUrl: nginx.url(`${name}.csv`),
  }
}
