import type { FastifyInstance } from 'fastify'

import type { Deps } from '../domain/deps'
import { toInstant } from '../domain/instant'
import type { FeedFile } from '../features/downloads/feed-file'
import { createFeedFiles } from '../features/downloads/feed-files'
import { limitBy } from './call-limits'
import { type FormatQuery, isNdjsonAsked } from './file-format'
import { sendFile } from './send-file'

const SECOND_MS = 1_000

/** Registers the addresses from which shops read their files without signing in. */
export function registerFeeds(app: FastifyInstance, deps: Deps): void {
  const countRead = limitBy(deps, 'readsOfFeed')
  const openFeedFile = createFeedFiles(deps)
  // Some programs tell from the end of an address that a file has tabs.
  for (const extension of ['csv', 'txt']) {
    app.route<{ Params: { token: string }; Querystring: FormatQuery & SinceQuery }>({
      method: ['GET', 'HEAD'],
      url: `/feeds/:token/inventory.${extension}`,
      handler: async (request, reply) => {
        const { params, query } = request
        const asked = { isNdjson: isNdjsonAsked(query), since: readSince(query) }
        const file = await openFeedFile(params.token, asked)
        countRead(file.addressId, 1)
        return sendFile(deps, request, reply, file, {
          lastModified: toLastModified(file, deps.clock.now()),
          headers: {
            'x-feed-version': file.version,
            'x-feed-rows': file.rowCount,
            'x-data-as-of': toInstant(file.dataAsOf),
            'x-robots-tag': 'noindex',
          },
        })
      },
    })
  }
}

type SinceQuery = { since?: unknown }

/** The version that the reader has; null without one, and for what cannot be one. */
function readSince({ since }: SinceQuery): string | null {
  return typeof since === 'string' && /^[\w-]{1,40}$/.test(since) ? since : null
}

/**
 * Its times have seconds only. In the second in which a file became the retailer's, the file before
 * it may still have been read, so that the time does not tell them apart yet.
 */
function toLastModified({ modifiedAt }: FeedFile, now: number): string | undefined {
  const isOver = Math.floor(modifiedAt / SECOND_MS) < Math.floor(now / SECOND_MS)
  return isOver ? new Date(modifiedAt).toUTCString() : undefined
}
