import type { FastifyInstance } from 'fastify'

import { FEED_FILE_NAMES } from '../../../shared/shop-formats'
import { type FormatQuery, isNdjsonAsked } from '../../api/file-format'
import type { Deps } from '../../domain/deps'
import { toInstant } from '../../domain/instant'
import type { FeedFile, FeedFiles } from '../../features/distribution/downloads/feed-file'
import type { CallLimits } from '../guards/call-limits'
import type { FileSending } from './file-headers'
import { sendFile } from './send-file'

/** Registers the addresses from which shops read their files without signing in. */
export function registerFeeds(
  app: FastifyInstance,
  deps: Deps,
  { feedFiles, limits }: { feedFiles: FeedFiles; limits: CallLimits },
): void {
  for (const fileName of FEED_FILE_NAMES) {
    app.route<{ Params: { token: string }; Querystring: FormatQuery & SinceQuery }>({
      method: ['GET', 'HEAD'],
      url: `/feeds/:token/${fileName}`,
      handler: async (request, reply) => {
        const { params, query } = request
        const asked = { isNdjson: isNdjsonAsked(query), since: readSince(query) }
        const file = await feedFiles.open(params.token, asked)
        limits.readsOfFeed.count(file.addressId, 1)
        return sendFile(deps, request, reply, file, toFeedFileSending(file))
      },
    })
  }
}

/** How the file of a shop is sent. */
export function toFeedFileSending(file: FeedFile): FileSending {
  return {
    modifiedAt: file.modifiedAt,
    headers: {
      'x-feed-version': file.version,
      'x-feed-rows': file.rowCount,
      'x-feed-delta': file.isDelta ? 'rows' : 'full',
      'x-data-as-of': toInstant(file.dataAsOf),
      'x-robots-tag': 'noindex',
    },
  }
}

type SinceQuery = { since?: unknown }

/** The version that the reader has; null without one, and for what cannot be one. */
function readSince({ since }: SinceQuery): string | null {
  return typeof since === 'string' && /^[\w-]{1,40}$/.test(since) ? since : null
}
