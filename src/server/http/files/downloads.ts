import type { FastifyInstance } from 'fastify'

import type { Role } from '../../../shared/constants'
import { idSchema } from '../../../shared/schemas/primitives'
import type { AddressOf, ContentRoute } from '../../api/api-routes'
import { type FormatQuery, isNdjsonAsked } from '../../api/file-format'
import { requireRole, type Actor } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import {
  openConnectionFile,
  type ReadableFile,
} from '../../features/catalogue/versions/connection-files'
import { openRetailerFile } from '../../features/distribution/downloads/retailer-files'
import { parseId } from '../api/rest'
import { asCaller } from '../sessions/caller'
import { readActor } from '../sessions/session'
import { sendFile } from './send-file'

type FileParams = { id: string; fileName: string }

/** A route that streams a file: the roles that may call it, and the rule that finds the file. */
type AssignmentRow = {
  address: AddressOf<ContentRoute>
  roles: readonly Role[]
  /** Whether the file can be had as JSON too. */
  hasJson: boolean
  open(
    deps: Deps,
    actor: Actor,
    file: { id: number; fileName: string; isNdjson: boolean },
  ): Promise<ReadableFile>
}

const downloadRows: readonly AssignmentRow[] = [
  {
    address: 'GET /api/connections/:id/files/:fileName',
    roles: ['SUPPLIER', 'SUPER_ADMIN'],
    hasJson: false,
    open: openConnectionFile,
  },
  {
    address: 'GET /api/retailers/:id/files/:fileName',
    roles: ['RETAILER', 'SUPPLIER', 'SUPER_ADMIN'],
    hasJson: true,
    open: openRetailerFile,
  },
]

/** Registers the file downloads, which are streamed and therefore not procedures. */
export function registerDownloads(app: FastifyInstance, deps: Deps): void {
  for (const row of downloadRows) {
    app.route<{ Params: FileParams; Querystring: FormatQuery }>({
      // Fastify's generated HEAD route would send `content-length: 0`.
      method: ['GET', 'HEAD'],
      url: row.address.replace('GET ', ''),
      handler: async (request, reply) => {
        const actor = await readActor(deps, request)
        if (!actor) throw new DomainError('UNAUTHENTICATED', 'You are not signed in')
        requireRole(actor, row.roles)
        const id = idSchema.safeParse(parseId(request.params.id))
        if (!id.success) throw new DomainError('INVALID', 'The id is not valid')
        const isNdjson = row.hasJson && isNdjsonAsked(request.query)
        const { fileName } = request.params
        const file = await row.open(deps, actor, { id: id.data, fileName, isNdjson })
        return asCaller(request, actor, () =>
          sendFile(deps, request, reply, file, { mayRedirect: true }),
        )
      },
    })
  }
}
