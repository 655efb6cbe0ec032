import { join } from 'node:path'

import {
  createFeedAddress,
  protectFeedAddresses,
} from '../../../features/distribution/feed-addresses/feed-addresses'
import { createUploadLink } from '../../../features/publication/upload-links/upload-links'
import { writeClientFiles } from '../../fixtures/client-files'
import { createLinkedRetailer } from '../../fixtures/factories'
import { startSourceServer } from '../../servers/source-server'
import { openTestApp } from '../../stages/test-app'
import { openWorld, saveWorld } from '../../stages/world'
import { UNLIMITED } from './call-cases'
import type { Task } from './measure'
import { folder } from './stage'
import { TEXTS } from './texts'

/** The largest head of a request. */
const LARGEST_HEAD = 16 * 1024

/** What the server, or a library of it, reads. */
const HEADERS = [
  'accept',
  'accept-encoding',
  'authorization',
  'content-digest',
  'content-disposition',
  'content-type',
  'cookie',
  'digest',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'origin',
  'prefer',
  'range',
  'sec-fetch-site',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
] as const

let site: ReturnType<typeof openSite> | undefined

/** A server behind a proxy, and requests whose answers depend on most headers. */
async function openSite() {
  const clientDir = join(folder, 'client')
  await writeClientFiles(clientDir)
  const world = await openWorld(await startSourceServer())
  const { path } = await createFeedAddress(
    world.testApp.deps,
    world.retailer.user,
    world.retailer.id,
  )
  const other = await createLinkedRetailer(world.testApp.deps, world.supplier)
  const { path: guarded } = await createFeedAddress(world.testApp.deps, other.user, other.id)
  const guard = { id: other.id, password: 'new' as const, networks: ['0.0.0.0/0'] }
  await protectFeedAddresses(world.testApp.deps, other.user, guard)
  const upload = await createUploadLink(world.testApp.deps, world.supplier, world.connectionId)
  const { state, cookies } = await saveWorld(world)
  await world.testApp.close()
  const behindProxy = { trustProxy: ['127.0.0.1'] }
  const { app, deps } = await openTestApp(behindProxy, { state }, { clientDir })
  Object.assign(deps.limits, UNLIMITED)
  const cookie = cookies.ownRetailer ?? ''
  const file = `/api/retailers/${world.retailer.id}/files/${world.fileName}`
  return {
    app,
    requests: [
      { method: 'GET', url: path, headers: {} },
      { method: 'GET', url: guarded, headers: {} },
      { method: 'GET', url: file, headers: { cookie } },
      { method: 'GET', url: '/', headers: {} },
      { method: 'POST', url: '/api/login', headers: { cookie }, payload: '{}' },
      { method: 'PUT', url: upload.path, headers: {}, payload: 'sku' },
    ] as const,
  }
}

function headerCase(name: string): Task {
  return {
    async run(input) {
      const { app, requests } = await (site ??= openSite())
      for (const request of requests) {
        for (const start of ['', 'bytes=', 'Basic ']) {
          const value = `${start}${input as string}`
          const headers = { range: 'bytes=0-1', ...request.headers, [name]: value }
          await app.inject({ ...request, headers })
        }
      }
    },
    inputs: TEXTS,
    largest: LARGEST_HEAD,
  }
}

export const headerCases: Record<string, Task> = Object.fromEntries(
  HEADERS.map((name) => [`header ${name}`, headerCase(name)]),
)
