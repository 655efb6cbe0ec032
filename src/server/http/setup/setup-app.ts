import Fastify, { type FastifyInstance } from 'fastify'

import { setupInput, setupTokenInput } from '../../../shared/schemas/setup'
import { withCaller } from '../../domain/caller'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { requireSetupToken, setUp } from '../../features/people/accounts/set-up'
import type { FirstRestore } from '../../restore/first-restore'
import { sendError } from '../errors'
import { toAppOptions } from '../guards/app-options'
import { registerBodyParser } from '../guards/bodies'
import { createCallLimits, registerCallLimits } from '../guards/call-limits'
import { limitConnections } from '../guards/connection-limits'
import { registerCrossSiteGuard } from '../guards/cross-site'
import { drainOnClose } from '../guards/draining'
import { refuseOtherHosts } from '../guards/host-names'
import { observeRequests } from '../guards/observe-requests'
import { refuseUnusedForms } from '../guards/request-forms'
import { createSecurityHeaders, registerSecurityHeaders } from '../guards/security-headers'
import { checkServing, registerHealth } from '../health'
import { registerSetupPage } from './setup-page'
import { registerSetupRestore } from './setup-restore'
import { parseSetup, toShown } from './shown-token'

/** One person has a page open. */
const MAX_CONNECTIONS = 100
const BODY_LIMIT_BYTES = 16 * 1024
const DRAIN_MS = 2_000

type SetupOptions = {
  /** What whoever sets the product up has to show. */
  token: string
  /** The folder of the built client. */
  clientDir: string
  /** By which a backup is restored instead. */
  restore: FirstRestore
  /** Called once an administrator has been made here, and told so. */
  onDone(): void
}

/**
 * Builds the web server of an installation without an administrator: a page and a few calls, for the holder of the
 * token. Nothing of the product is behind it, not even its sign-in.
 */
export async function buildSetupApp(
  deps: Deps,
  { token, clientDir, restore, onDone }: SetupOptions,
): Promise<FastifyInstance> {
  const { config } = deps
  const app = Fastify({
    ...toAppOptions(config, deps.logger),
    bodyLimit: BODY_LIMIT_BYTES,
  })
  limitConnections(app, MAX_CONNECTIONS)
  drainOnClose(app, DRAIN_MS)
  observeRequests(app, deps)
  app.setErrorHandler(sendError)
  const isHttps = config.publicUrl?.startsWith('https:') ?? false
  registerSecurityHeaders(app, createSecurityHeaders(isHttps))
  refuseUnusedForms(app)
  refuseOtherHosts(app, config.publicUrl)
  registerBodyParser(app)
  registerCallLimits(app, createCallLimits(deps))
  registerCrossSiteGuard(app, config.publicUrl)
  registerHealth(app, () => checkServing(deps))
  registerCalls(app, deps, { token, restore, onDone })
  await registerSetupRestore(app, deps, { token, restore })
  await registerSetupPage(app, deps, clientDir)
  return app
}

function registerCalls(
  app: FastifyInstance,
  deps: Deps,
  { token, restore, onDone }: Omit<SetupOptions, 'clientDir'>,
): void {
  // Where there is an administrator, this address does not exist.
  app.get('/api/setup', async () => ({ state: 'waiting' }))

  app.post('/api/setup/check', async (request, reply) => {
    const { token: given } = parseSetup(setupTokenInput, request.body)
    await requireSetupToken(deps, toShown(token, given, request))
    return reply.status(204).send()
  })

  app.post('/api/setup', async (request, reply) => {
    const input = parseSetup(setupInput, request.body)
    const shown = toShown(token, input.token, request)
    const caller = { origin: 'web', actor: null, address: shown.address } as const
    await requireSetupToken(deps, shown)
    if (restore.progress().state === 'running') {
      throw new DomainError('CONFLICT', 'A backup is being restored')
    }
    await withCaller(caller, () => setUp(deps, shown, input))
    reply.raw.once('close', onDone)
    return reply.status(201).send({ message: `Administrator ${input.username} created` })
  })
}
