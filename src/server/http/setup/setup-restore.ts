import type { FastifyInstance } from 'fastify'

import { setupRestoreInput, setupTokenInput } from '../../../shared/schemas/setup'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { requireSetupToken } from '../../features/people/accounts/set-up'
import type { FirstRestore } from '../../restore/first-restore'
import { readBody, withBody } from '../files/sent-file'
import { passBodiesOn } from '../guards/bodies'
import { parseSetup, toShown } from './shown-token'

/** Carries the token where the body is a file. */
const TOKEN_HEADER = 'x-setup-token'

type RestoreRoutes = { token: string; restore: FirstRestore }

/**
 * Registers the calls by which the holder of the token restores a backup instead of making an administrator: what there
 * is, one that is sent, the start, and what becomes of it.
 */
export async function registerSetupRestore(
  app: FastifyInstance,
  deps: Deps,
  { token, restore }: RestoreRoutes,
): Promise<void> {
  app.post('/api/setup/backups', async (request) => {
    const { token: given } = parseSetup(setupTokenInput, request.body)
    await requireSetupToken(deps, toShown(token, given, request))
    return restore.list()
  })

  app.post('/api/setup/restore', async (request, reply) => {
    const input = parseSetup(setupRestoreInput, request.body)
    const shown = toShown(token, input.token, request)
    await requireSetupToken(deps, shown)
    await restore.start({ ...input, address: shown.address })
    return reply.status(202).send(restore.progress())
  })

  app.post('/api/setup/progress', async (request) => {
    const { token: given } = parseSetup(setupTokenInput, request.body)
    await requireSetupToken(deps, toShown(token, given, request))
    return restore.progress()
  })

  await app.register(async (withFiles) => {
    passBodiesOn(withFiles)
    withFiles.post('/api/setup/backup', { config: { takesFile: true } }, (request, reply) =>
      withBody(request, reply, async (signal) => {
        const { token: given } = parseSetup(setupTokenInput, {
          token: request.headers[TOKEN_HEADER],
        })
        await requireSetupToken(deps, toShown(token, given, request))
        const sizeBytes = Number(request.headers['content-length'])
        // As all browsers do: it is known at once whether there is room.
        if (!(sizeBytes > 0)) throw new DomainError('INVALID', 'Send the backup with its length')
        return restore.take(sizeBytes, readBody(request, signal))
      }),
    )
  })
}
