import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { FILE_LINK_DAYS } from '../../../shared/destinations'
import type { Deps } from '../../domain/deps'
import { logFailure } from '../../domain/log-failure'
import { openFileLink } from '../../features/distribution/destinations/file-links'
import { describeError } from '../../trpc/describe-error'
import type { CallLimits } from '../guards/call-limits'
import { escapeHtml, renderSmallPage, SMALL_PAGE_POLICY } from '../sessions/small-page'
import { sendFile } from './send-file'

/** Of the file and of the page: neither is found by search engines, nor named to where somebody goes next. */
const HEADERS = { 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' }

/**
 * Registers the addresses from which people download files that were too large for their mails. Programs that open all
 * links of a mail take nothing away from anybody: a link works as often as it is opened.
 */
export function registerFileLinks(app: FastifyInstance, deps: Deps, limits: CallLimits): void {
  app.route<{ Params: { token: string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/:token',
    handler: async (request, reply) => {
      try {
        const file = await openFileLink(deps, request.params.token)
        limits.readsOfFileLink.count(file.linkId, 1)
        const { modifiedAt } = file
        return await sendFile(deps, request, reply, file, { modifiedAt, headers: HEADERS })
      } catch (error) {
        return refuse(request, reply, error)
      }
    },
  })
}

/** A page for people, who have opened it from their mail. */
function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const { status, message, retryAfterSeconds } = describeError(error)
  if (status >= 500) logFailure(request.log, error, 'A sent file could not be downloaded')
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  const page =
    status === 404
      ? ENDED
      : { title: 'The file could not be sent', content: `<p>${escapeHtml(message)}</p>` }
  return reply
    .status(status)
    .headers(HEADERS)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', SMALL_PAGE_POLICY)
    .send(renderSmallPage(page))
}

const ENDED = {
  title: 'This link does not work any more',
  content: `<p>A link to a file works for ${FILE_LINK_DAYS} days at most. It ends earlier when the file is not sent to you any more, when your supplier shows less of it, or when newer files need the room.</p>
      <p>The newest file is in your newest mail. Whoever has an account can sign in and download it there.</p>`,
}
