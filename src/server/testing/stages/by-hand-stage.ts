import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import type { CreateConnectionInput } from '../../../shared/schemas/connection'
import { createConnection, listConnections } from '../../features/catalogue/connections/connections'
import { listFiles, openConnectionFile } from '../../features/catalogue/versions/connection-files'
import { receiveFromUser } from '../../features/publication/received-files/receive-file'
import { listReceivedFiles } from '../../features/publication/received-files/received-files'
import { createSupplierUser } from '../fixtures/factories'
import { openTestDeps } from './test-deps'

export type ByHandStage = Awaited<ReturnType<typeof openByHandStage>>

/** A supplier whose files are sent; they are read when `work` is called. */
export async function openByHandStage(
  config: { url?: string } = {},
  overrides?: Parameters<typeof openTestDeps>[0],
  more: Partial<CreateConnectionInput> = {},
) {
  const opened = await openTestDeps(overrides)
  const deps = { ...opened, queue: { ...opened.queue, add: async () => undefined } }
  const supplier = await createSupplierUser(deps)
  const settings = { name: 'Stock', type: 'URL', fileFormat: 'CSV', syncFrequency: 60 } as const
  const input = { ...settings, config, isActive: true, ...more }
  const { id } = await createConnection(deps, supplier, input)

  /** Begins to send a file whose bytes come from `body`. */
  const sendBody = (fileName: string, body: AsyncIterable<Buffer>, isFull?: boolean) =>
    receiveFromUser(deps, supplier, id, () => ({
      file: { fileName, sha256: null, isFull, body },
      signal: new AbortController().signal,
    }))

  return {
    deps,
    supplier,
    id,
    sendBody,
    send: async (fileName: string, content: string, isFull?: boolean) =>
      (await sendBody(fileName, Readable.from([Buffer.from(content)]), isFull)).id,
    received: () => listReceivedFiles(deps, supplier, id),
    /** The states of the files that were sent, by their names. */
    async states() {
      const files = await listReceivedFiles(deps, supplier, id)
      return Object.fromEntries(files.map(({ fileName, state }) => [fileName, state]))
    },
    async current() {
      return (await listConnections(deps, supplier))[0]!
    },
    async publishedText() {
      const [latest] = (await listFiles(deps, supplier, id)).files
      if (!latest) return undefined
      const file = await openConnectionFile(deps, supplier, { id, fileName: latest.fileName })
      return text(await deps.files.read(file.sha256))
    },
    close: () => opened.close(),
  }
}
