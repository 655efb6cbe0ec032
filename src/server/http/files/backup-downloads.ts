import type { FastifyInstance } from 'fastify'

import { requireConfirmed } from '../../domain/confirmation'
import type { Deps } from '../../domain/deps'
import { findBackupFile, openBackupFile } from '../../features/operations/backups/stored-backups'
import { recordAdministratorsRead } from '../../features/people/audit/record-read'
import { asCaller, requireCaller } from '../sessions/caller'
import { hashSessionId } from '../sessions/session-store'

const ADDRESS = 'GET /api/admin/backup-files/:fileName'

/** Streams a backup as a tar archive that is packed while it is sent, never held in memory. */
export function registerBackupDownloads(app: FastifyInstance, deps: Deps): void {
  app.route<{ Params: { fileName: string } }>({
    method: ['GET', 'HEAD'],
    url: ADDRESS.replace('GET ', ''),
    handler: async (request, reply) => {
      const actor = await requireCaller(deps, request, ADDRESS)
      // A key with the scope was made by who had confirmed.
      if (!actor.key) await requireConfirmed(deps, hashSessionId(request.session.sessionId))
      const { fileName } = request.params
      const backup = await findBackupFile(deps, fileName)
      if (request.method === 'GET') {
        const read = { action: 'backup.download', subject: { name: fileName } } as const
        await asCaller(request, actor, () => recordAdministratorsRead(deps, actor, read))
      }
      const archive = request.method === 'HEAD' ? undefined : await openBackupFile(backup)
      return reply
        .type('application/x-tar')
        .header('content-length', backup.archiveBytes)
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .header('cache-control', 'private, no-store')
        .header('content-security-policy', 'sandbox')
        .send(archive)
    },
  })
}
