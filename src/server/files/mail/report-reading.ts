import type { MimeNode } from '@zone-eu/mailsplit'

import { type MailReport, MAX_REPORT_BYTES, readStatusReport, readPlainReport } from './mail-report'

const STATUS_TYPES = new Set(['message/delivery-status', 'message/global-delivery-status'])

/** Finds among the parts of a message what a mail server reports of another one. */
export function createReportReading() {
  let part: { node: MimeNode; read: typeof readPlainReport } | undefined
  let pieces: Buffer[] = []
  let bytes = 0

  const readerOf = (node: MimeNode) => {
    const { parentNode, contentType } = node
    if (node.root && !node.multipart) {
      return contentType === false || contentType === 'text/plain' ? readPlainReport : undefined
    }
    const isInReport = parentNode && parentNode.root && parentNode.multipart === 'report'
    return isInReport && STATUS_TYPES.has(contentType || '') ? readStatusReport : undefined
  }

  return {
    begin(node: MimeNode): void {
      const read = part ? undefined : readerOf(node)
      if (read) part = { node, read }
    },
    /** Whether bytes are of the part that is a report. Only the first of them are kept. */
    take(node: MimeNode, value: Buffer): boolean {
      if (node !== part?.node) return false
      if (bytes < MAX_REPORT_BYTES) pieces.push(value.subarray(0, MAX_REPORT_BYTES - bytes))
      bytes += value.length
      return true
    },
    async end(): Promise<MailReport | null> {
      if (!part) return null
      const text = await decode(part.node, Buffer.concat(pieces))
      pieces = []
      return part.read(text)
    },
  }
}

/** What was cut off may be broken at its end, of which nothing is certain. */
function decode(node: MimeNode, coded: Buffer): Promise<string> {
  const decoder = node.getDecoder()
  const decoded: Buffer[] = []
  return new Promise((resolve) => {
    const done = () => resolve(Buffer.concat(decoded).toString())
    decoder.on('data', (piece: Buffer) => decoded.push(piece))
    decoder.once('end', done).once('error', done)
    decoder.end(coded)
  })
}
