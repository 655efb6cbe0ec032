import { describe, expect, it } from 'vitest'

import { routeRoles } from '../src/server/api/route-roles'
import { PAGE_PATHS } from '../src/shared/page-paths'
import config from '../vite.config'

/** The client's files, which Vite serves. */
const CLIENT = new Set(['/', '/*', '/:file', '/assets/:file'])

const patterns = Object.keys(config.server?.proxy ?? {}).map((pattern) => new RegExp(pattern))
const isProxied = (path: string) => patterns.some((pattern) => pattern.test(path))

/** Whether Vite serves a path although files are sent to it. */
const isServedByVite = (path: string) =>
  Object.entries(config.server?.proxy ?? {}).some(
    ([pattern, options]) =>
      typeof options === 'object' && options.bypass !== undefined && new RegExp(pattern).test(path),
  )

const toPath = (address: string) => address.split(' ')[1]!
const paths = [...new Set(Object.keys(routeRoles).map(toPath))]

describe('in development, Vite', () => {
  it('passes every path on that the server answers', () => {
    const ofServer = paths.filter((path) => !CLIENT.has(path))
    expect(ofServer.length).toBeGreaterThan(40)
    const urls = ofServer.map((path) => path.replaceAll(/:\w+/g, 'x.y-1'))
    expect(urls.filter((url) => !isProxied(url) || !isProxied(`${url}?since=1`))).toEqual([])
  })

  it('serves the pages and files of the client itself', () => {
    const pages = PAGE_PATHS.map((path) => path.replace(/\$\w+/, '7'))
    const files = ['/main.tsx', '/@vite/client', '/features/api-docs/api-calls.ts', '/trpc.ts']
    expect(
      [...pages, ...pages.map((page) => `${page}?q=1`), ...files].filter(
        (path) => isProxied(path) && !isServedByVite(path),
      ),
    ).toEqual([])
  })
})
