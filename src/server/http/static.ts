import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { isPagePath } from '../../shared/page-paths'
import type { Deps } from '../domain/deps'
import type { CallLimits } from './guards/call-limits'
import { registerClientFiles } from './pages/client-files'
import { readFirstData } from './pages/first-data'
import { compressPage, readPageFiles, withFirstData, type CompressedPage } from './pages/page-files'
import { readSignInPage } from './pages/sign-in-page'
import { registerSignInForm } from './sessions/sign-in-form'

/**
 * Serves the built client. Every path that is neither a file nor an API call gets the page, whose
 * router shows the screen, or reports that it does not exist: with status 404.
 */
export async function registerStatic(
  app: FastifyInstance,
  deps: Deps,
  { directory, limits }: { directory: string; limits: CallLimits },
): Promise<void> {
  await registerClientFiles(app, directory)
  const pages = await readPageFiles(directory)
  const signInPage = await readSignInPage(deps, directory)
  const compressed = new Map<string, CompressedPage>()

  async function sendPage(request: FastifyRequest, reply: FastifyReply) {
    const isPage = !/^\/(?:api|trpc|assets|feeds)(?:[/?]|$)/.test(request.url)
    if (!isPage) return reply.callNotFound()
    const [path = ''] = request.url.split('?', 1)
    const { role, data } = await readFirstData(deps, limits, request, reply)
    // A registration has another form.
    const isSignIn = path === '/auth' && !role && !request.url.includes('mode=')
    const text = withFirstData(isSignIn ? signInPage() : pages.find(path, role), data)
    setHeaders(reply.code(isPagePath(path) ? 200 : 404))
    return role ? reply.send(text) : sendCompressed(request, reply, compress(text))
  }

  /** There are few: without anybody signed in, what a page brings is the same for everybody. */
  function compress(text: string): CompressedPage {
    const page = compressed.get(text) ?? compressPage(text)
    compressed.set(text, page)
    return page
  }

  await app.register((withForms) =>
    registerSignInForm(withForms, deps, async (request, reply, refused) => {
      const { data } = await readFirstData(deps, limits, request, reply)
      return setHeaders(reply).send(withFirstData(signInPage(refused), data))
    }),
  )
  app.get('/', sendPage)
  app.get('/*', sendPage)
  // Forms and files are sent to the same addresses.
  app.get('/auth', sendPage)
  app.get('/upload/:token', (request, reply) =>
    sendPage(request, reply.header('x-robots-tag', 'noindex')),
  )
}

const setHeaders = (reply: FastifyReply) =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store')

function sendCompressed(request: FastifyRequest, reply: FastifyReply, page: CompressedPage) {
  const accepted = request.headers['accept-encoding'] ?? ''
  const coding = (['br', 'gzip'] as const).find((name) => accepted.includes(name))
  reply.header('vary', 'accept-encoding')
  return coding
    ? reply.header('content-encoding', coding).send(page[coding])
    : reply.send(page.plain)
}
