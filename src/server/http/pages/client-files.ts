import { basename, dirname } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

import { PAGE_FILES } from './page-files'
import { SIGN_IN_FILES } from './sign-in-page'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** Serves the files of the built client, without its pages. */
export async function registerClientFiles(app: FastifyInstance, directory: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: directory,
    wildcard: false,
    cacheControl: false,
    // The build writes each file as .br and .gz too; they are served by negotiation only.
    preCompressed: true,
    globIgnore: ['**/*.{br,gz}', ...PAGE_FILES, ...SIGN_IN_FILES],
    setHeaders: (reply, path) => {
      // File names under assets/ contain a content hash.
      const isHashed = basename(dirname(path)) === 'assets'
      reply.header(
        'cache-control',
        isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
      )
    },
  })
}
