import type { IncomingHttpHeaders } from 'node:http'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { FEED_FILE_NAMES } from '../../../shared/shop-formats'
import { type FormatQuery, readAskedForm, readFormOfName } from '../../api/file-format'
import type { Deps } from '../../domain/deps'
import { DomainError, notFound } from '../../domain/errors'
import { toInstant } from '../../domain/instant'
import type {
  FeedFile,
  FeedFiles,
  RefusedRead,
} from '../../features/distribution/downloads/feed-file'
import type { AddressReader } from '../../features/distribution/feed-addresses/judge-reader'
import type { CallLimits } from '../guards/call-limits'
import { readClientAddress } from '../sessions/client-address'
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
        const reader = readReader(request.headers, request.ip)
        const asked = readAskedForm(query, readFormOfName(fileName))
        const since = readSince(query)
        const file = await feedFiles.open(params.token, { asked, since, reader })
        if ('refusal' in file) throw refuse(limits, request, reply, file)
        limits.readsOfFeed.count(file.addressId, 1)
        return sendFile(deps, request, reply, file, toFeedFileSending(file))
      },
    })
  }
}

export const readReader = (
  { authorization, 'user-agent': userAgent }: IncomingHttpHeaders,
  address: string,
): AddressReader => ({ address, authorization, userAgent })

/**
 * Where an address has expired, or is not for the network of the reader, it is answered as one that never was.
 * Only wrong passwords are counted: many programs first ask without one.
 */
function refuse(
  limits: CallLimits,
  request: FastifyRequest,
  reply: FastifyReply,
  { refusal, addressId }: RefusedRead,
): DomainError {
  if (refusal === 'expired' || refusal === 'network') return notFound('Feed')
  if (refusal === 'password-wrong') {
    limits.wrongPasswordsOfFeed.count(addressId, 1)
    limits.wrongFeedPasswordsFromAddress.count(readClientAddress(request), 1)
    limits.wrongFeedPasswords.count('all', 1)
  }
  reply.header('www-authenticate', 'Basic realm="feed"')
  return new DomainError('UNAUTHENTICATED', MESSAGES[refusal])
}

const MESSAGES = {
  'password-missing': 'This address has a password. Send it by Basic or as a Bearer token.',
  'password-wrong': 'The password of this address is another one',
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
