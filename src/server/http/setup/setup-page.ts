import type { FastifyInstance } from 'fastify'

import { isPagePath, SETUP_PATH } from '../../../shared/page-paths'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { readPasswordMinLength } from '../../features/people/accounts/new-password'
import { registerClientFiles } from '../pages/client-files'
import { readPageFiles, withFirstData } from '../pages/page-files'

/** Serves the page and its files; every other page leads to it, and every other call is refused. */
export async function registerSetupPage(
  app: FastifyInstance,
  deps: Deps,
  clientDir: string,
): Promise<void> {
  await registerClientFiles(app, clientDir)
  const pages = await readPageFiles(clientDir)
  app.get(SETUP_PATH, async (_request, reply) => {
    const page = withFirstData(pages.find(SETUP_PATH, undefined), await readData(deps))
    return reply.type('text/html; charset=utf-8').header('x-robots-tag', 'noindex').send(page)
  })
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    if (request.method === 'GET' && isPagePath(path)) return reply.redirect(SETUP_PATH)
    throw new DomainError('UNAVAILABLE', 'This installation has not been set up yet')
  })
}

/** What the page asks first of the product, which is not there yet. */
async function readData(deps: Deps) {
  const { appName, publicUrl = null } = deps.config
  const info = {
    appName,
    isSignupAllowed: false,
    isGoogleConfigured: false,
    sendsMail: false,
    servesSftp: false,
    publicUrl,
    passwordMinLength: await readPasswordMinLength(deps),
  }
  return [
    { path: 'session.current', data: null },
    { path: 'app.info', data: info },
  ]
}
