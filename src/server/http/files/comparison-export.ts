import type { FastifyInstance, FastifyReply } from 'fastify'

import { MAX_CALL_COST } from '../../../shared/constants'
import { changesExportQuery } from '../../../shared/schemas/comparison'
import { idSchema } from '../../../shared/schemas/primitives'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { findChanges } from '../../features/catalogue/comparisons/comparison-list'
import { parseId } from '../api/rest'
import { asCaller, requireCaller } from '../sessions/caller'
import { contentDisposition } from './content-disposition'

const ADDRESS = 'GET /api/connections/:id/files/:fileName/changes-from/:olderFileName'

type Params = { id: string; fileName: string; olderFileName: string }

/** Sends what differs between two files of a connection, as CSV. */
export function registerChangesExport(app: FastifyInstance, deps: Deps): void {
  app.route<{ Params: Params }>({
    method: ['GET', 'HEAD'],
    url: ADDRESS.replace('GET ', ''),
    config: { cost: MAX_CALL_COST },
    handler: async (request, reply) => {
      const actor = await requireCaller(deps, request, ADDRESS)
      const id = idSchema.safeParse(parseId(request.params.id))
      if (!id.success) throw new DomainError('INVALID', 'The id is not valid')
      const filter = changesExportQuery.safeParse(request.query)
      if (!filter.success) throw new DomainError('INVALID', 'The filter is not valid')
      const { fileName, olderFileName } = request.params
      const wanted = { id: id.data, fileName, olderFileName, filter: filter.data }
      const file = await findChanges(deps, actor, wanted)
      const opened = request.method === 'HEAD' ? null : await file.open(signalOf(reply))
      if (opened) await asCaller(request, actor, file.onRead)
      if (opened) reply.header('content-length', opened.sizeBytes)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', contentDisposition(file))
        .header('cache-control', 'private, no-store')
        .header('content-security-policy', 'sandbox')
        .send(opened?.content)
    },
  })
}

/** Fires when the caller no longer waits. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return gone.signal
}
