import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Role } from '../../shared/constants'
import { idSchema } from '../../shared/schemas/primitives'
import { requireRole, type Actor } from '../domain/actor'
import type { Deps } from '../domain/deps'
import { DomainError } from '../domain/errors'
import { readStoredFile } from '../features/downloads/pulls'
import { openRetailerFile } from '../features/downloads/retailer-files'
import { openConnectionFile, type ReadableFile } from '../features/versions/connection-files'
import type { AddressOf, ContentRoute } from './api-routes'
import { contentDisposition } from './content-disposition'
import { parseId } from './rest'
import { readActor } from './session'

type FileParams = { id: string; fileName: string }

/** A route that streams a file: the roles that may call it, and the rule that finds the file. */
type DownloadRow = {
  address: AddressOf<ContentRoute>
  roles: readonly Role[]
  open(deps: Deps, actor: Actor, file: { id: number; fileName: string }): Promise<ReadableFile>
}

const downloadRows: readonly DownloadRow[] = [
  {
    address: 'GET /api/connections/:id/files/:fileName',
    roles: ['SUPPLIER', 'SUPER_ADMIN'],
    open: openConnectionFile,
  },
  {
    address: 'GET /api/retailers/:id/files/:fileName',
    roles: ['RETAILER', 'SUPPLIER', 'SUPER_ADMIN'],
    open: openRetailerFile,
  },
]

/** Registers the file downloads, which are streamed and therefore not procedures. */
export function registerDownloads(app: FastifyInstance, deps: Deps): void {
  for (const row of downloadRows) {
    app.route<{ Params: FileParams }>({
      // Fastify's generated HEAD route would send `content-length: 0`.
      method: ['GET', 'HEAD'],
      url: row.address.replace('GET ', ''),
      handler: async (request, reply) => {
        const actor = await readActor(deps, request)
        if (!actor) throw new DomainError('UNAUTHENTICATED', 'You are not signed in')
        requireRole(actor, row.roles)
        const id = idSchema.safeParse(parseId(request.params.id))
        if (!id.success) throw new DomainError('INVALID', 'The id is not valid')
        const file = await row.open(deps, actor, { id: id.data, fileName: request.params.fileName })
        return sendFile(deps, request, reply, file)
      },
    })
  }
}

async function sendFile(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  file: ReadableFile,
): Promise<FastifyReply> {
  const etag = `"${file.sha256}"`
  const isUnchanged = isKnown(request, etag)
  const isSent = !isUnchanged && request.method !== 'HEAD'
  // Opened before any header is set, so that an error carries none of the file's headers.
  const content = isSent ? await readStoredFile(deps, file.sha256) : undefined
  if (isSent) {
    await file.onSent?.(request.headers['user-agent'])
    reply.raw.once('finish', () => deps.metrics.fileSent(file.sizeBytes))
  }
  reply
    .header('etag', etag)
    .header('cache-control', 'private, no-cache')
    .header('content-security-policy', 'sandbox')
    .header('content-disposition', contentDisposition(file.title, file.dataAsOf))
  if (isUnchanged) return reply.status(304).send()
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-length', file.sizeBytes)
    .send(content)
}

/** If-None-Match as in RFC 9110: any of the listed tags, by weak comparison. */
function isKnown(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match']
  if (!header) return false
  const tags = new Set(header.split(',').map((tag) => tag.trim().replace(/^W\//, '')))
  return tags.has(etag) || tags.has('*')
}
