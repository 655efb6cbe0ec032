import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { idSchema } from '../../../shared/schemas/primitives'
import { type FormatQuery, readAskedForm } from '../../api/file-format'
import type { GuardedAddress } from '../../api/route-roles'
import type { Actor } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { FileInPreparation } from '../../domain/file-in-preparation'
import type { AskedForm } from '../../domain/variant-spec'
import {
  openConnectionFile,
  type ReadableFile,
} from '../../features/catalogue/versions/connection-files'
import type { RetailerFiles } from '../../features/distribution/downloads/retailer-files'
import { openMergedDownload } from '../../features/distribution/merged-files/merged-reads'
import {
  openMatching,
  openUnmatched,
} from '../../features/distribution/merged-files/unmatched-file'
import { parseId } from '../api/rest'
import { asCaller, requireCaller } from '../sessions/caller'
import type { KnownCookies } from '../sessions/known-cookies'
import { sendFile } from './send-file'

type FileParams = { id: string; fileName: string }

/** A route that streams a file, and the rule that finds the file. */
type DownloadRow = {
  address: GuardedAddress
  /** Whether the file can be had in other forms too. */
  hasForms: boolean
  open(
    actor: Actor,
    file: { id: number; fileName: string; asked: AskedForm },
  ): Promise<ReadableFile>
}

/** Registers the file downloads, which are streamed and therefore not procedures. */
export function registerDownloads(
  app: FastifyInstance,
  deps: Deps,
  { retailerFiles, cookies }: { retailerFiles: RetailerFiles; cookies: KnownCookies },
): void {
  const rows: DownloadRow[] = [
    {
      address: 'GET /api/connections/:id/files/:fileName',
      hasForms: false,
      open: (actor, file) => openConnectionFile(deps, actor, file),
    },
    {
      address: 'GET /api/retailers/:id/files/:fileName',
      hasForms: true,
      open: (actor, file) => retailerFiles.open(actor, file),
    },
  ]
  for (const row of rows) {
    app.route<{ Params: FileParams; Querystring: FormatQuery }>({
      // Fastify's generated HEAD route would send `content-length: 0`.
      method: ['GET', 'HEAD'],
      url: row.address.replace('GET ', ''),
      handler: async (request, reply) => {
        const actor = await requireCaller(deps, request, row.address)
        const id = idSchema.safeParse(parseId(request.params.id))
        if (!id.success) throw new DomainError('INVALID', 'The id is not valid')
        const asked = row.hasForms ? readAskedForm(request.query) : 'own'
        const { fileName } = request.params
        const file = await openOrWait(request, row.open(actor, { id: id.data, fileName, asked }))
        if (file instanceof FileInPreparation) return tellToWait(reply, file)
        if (!actor.key) cookies.learn(request)
        return asCaller(request, actor, () =>
          sendFile(deps, request, reply, file, { mayRedirect: true }),
        )
      },
    })
  }
  for (const [address, open] of [
    [UNMATCHED, openUnmatched],
    [MATCHING, openMatching],
  ] as const) {
    app.route({
      method: ['GET', 'HEAD'],
      url: address.replace('GET ', ''),
      handler: async (request, reply) => {
        const actor = await requireCaller(deps, request, address)
        const file = await open(deps, actor)
        return asCaller(request, actor, () => sendFile(deps, request, reply, file))
      },
    })
  }
  app.route<{ Querystring: FormatQuery }>({
    method: ['GET', 'HEAD'],
    url: MERGED.replace('GET ', ''),
    handler: async (request, reply) => {
      const actor = await requireCaller(deps, request, MERGED)
      const asked = readAskedForm(request.query)
      const file = await openOrWait(request, openMergedDownload(deps, actor, asked))
      if (file instanceof FileInPreparation) return tellToWait(reply, file)
      return asCaller(request, actor, () => sendFile(deps, request, reply, file))
    },
  })
}

const MERGED = 'GET /api/merged-file/download' satisfies GuardedAddress
const MATCHING = 'GET /api/merged-file/matching.csv' satisfies GuardedAddress
const UNMATCHED = 'GET /api/merged-file/unmatched.csv' satisfies GuardedAddress

/** The file, or that it is on its way if whoever asks prefers to be told so. */
const openOrWait = (request: FastifyRequest, opening: Promise<ReadableFile>) =>
  opening.catch((error: unknown) => {
    if (error instanceof FileInPreparation && prefersToWait(request)) return error
    throw error
  })

/** Pages ask so before they follow a link: browsers list each answer that is an error as one of the page. */
const prefersToWait = ({ method, headers }: FastifyRequest): boolean =>
  method === 'HEAD' && headers.prefer === 'respond-async'

/** Answers that the file is on its way (RFC 7240), which is no error. */
const tellToWait = (reply: FastifyReply, { retryAfterSeconds = 0 }: FileInPreparation) =>
  reply
    .code(202)
    .header('retry-after', retryAfterSeconds)
    .header('preference-applied', 'respond-async')
    .header('cache-control', 'no-store')
    .send()
