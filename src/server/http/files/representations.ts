import type { IncomingHttpHeaders } from 'node:http'

import type { Coding } from '../../../shared/content-codings'

/** A stored file that is sent as the content of a resource: as it is, or in a content coding. */
export type Representation = {
  sha256: string
  sizeBytes: number
  /** Named after the bytes that are sent, so that no two representations share it. */
  etag: string
  coding?: Coding
}

export function toRepresentation(file: Omit<Representation, 'etag'>): Representation {
  const { sha256, sizeBytes, coding } = file
  return { sha256, sizeBytes, etag: `"${sha256}"`, ...(coding && { coding }) }
}

/** Which compressed copy a reader prefers, of equals the one that is smaller of most files; undefined without any. */
export function preferredCoding(headers: IncomingHttpHeaders): Coding | undefined {
  const accepted = headers['accept-encoding']
  if (accepted === undefined) return undefined
  const { weigh } = readAcceptEncoding(accepted)
  const [gzip, br] = [weigh('gzip'), weigh('br')]
  if (gzip === 0 && br === 0) return undefined
  return br >= gzip ? 'br' : 'gzip'
}

/**
 * Chooses how to send a file, after RFC 9110: the copy that the reader prefers, the smallest of equals.
 * A reader that names one of them, because it has it, is answered for that one. A part is of the file
 * as it is, unless the reader names the copy with which it has begun.
 * @param copies smallest first
 */
export function chooseRepresentation(
  headers: IncomingHttpHeaders,
  whole: Representation,
  copies: Representation[],
): Representation {
  const { weigh, asIs } = readAcceptEncoding(headers['accept-encoding'])
  const preference = ({ coding }: Representation) => (coding ? weigh(coding) : 0)
  const accepted = copies
    .filter((copy) => preference(copy) > 0)
    .toSorted((one, other) => preference(other) - preference(one))
  const known = [headers['if-match'], headers['if-none-match'], headers['if-range']].join(',')
  const begun = [whole, ...accepted].find(({ etag }) => known.includes(etag))
  if (begun) return begun
  const [best] = accepted
  return best && headers.range === undefined && preference(best) >= asIs ? best : whole
}

/** The weights of content codings: 0 where one is not accepted, or the file as it is not preferred. */
function readAcceptEncoding(header = '') {
  const weights = new Map<string, number>()
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  return {
    weigh: (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0,
    asIs: weights.get('identity') ?? 0,
  }
}
