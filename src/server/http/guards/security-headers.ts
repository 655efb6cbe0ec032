import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

import { COLOR_SCHEME_SCRIPT } from '../../../shared/color-scheme'

/** The headers of every response, which restrict pages to the product's own scripts, fonts and calls. */
export function createSecurityHeaders(isHttps: boolean): Record<string, string> {
  return collectHeaders(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          baseUri: ["'none'"],
          objectSrc: ["'none'"],
          frameAncestors: ["'none'"],
          formAction: ["'self'"],
          scriptSrc: ["'self'", hashOf(COLOR_SCHEME_SCRIPT)],
          // Mantine sets its CSS variables in style attributes and elements.
          styleSrc: ["'self'", "'unsafe-inline'"],
          fontSrc: ["'self'"],
          imgSrc: ["'self'", 'data:', 'https:'],
          connectSrc: ["'self'"],
          ...(isHttps && { upgradeInsecureRequests: [] }),
        },
      },
      hsts: isHttps && { maxAge: 31_536_000 },
      crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
      referrerPolicy: { policy: 'same-origin' },
    }),
  )
}

/** Allows a script in a page by its content. */
const hashOf = (script: string) =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** Adds these headers to every response, and disables caching by default. */
export function registerSecurityHeaders(app: FastifyInstance, fixed: Record<string, string>): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(fixed)
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done()
  })
}

/** The headers that the middleware sets, which are the same for every request. */
function collectHeaders(middleware: ReturnType<typeof helmet>): Record<string, string> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
    removeHeader: () => undefined,
  }
  middleware({} as IncomingMessage, response as unknown as ServerResponse, () => undefined)
  return headers
}
