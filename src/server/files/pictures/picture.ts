import { crc32 } from 'node:zlib'

export type Picture = {
  type: 'image/png' | 'image/jpeg' | 'image/webp'
  width: number
  height: number
  /** Without what is not needed to show it: where it was taken, comments, colour profiles. */
  bytes: Buffer
}

/** Reads a still PNG, JPEG or WebP picture, in one pass and without decoding it; undefined if it is none. */
export function readPicture(bytes: Buffer): Picture | undefined {
  return readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes)
}

const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** What a still picture is made of; all else, such as animations and texts, is left out. */
const PNG_PARTS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
/** Length, name and checksum of a part. */
const PNG_FRAME = 12

function readPng(bytes: Buffer): Picture | undefined {
  if (!bytes.subarray(0, 8).equals(PNG_START)) return undefined
  const parts: Buffer[] = [PNG_START]
  const names: string[] = []
  let at = PNG_START.length
  while (at + PNG_FRAME <= bytes.length && names.at(-1) !== 'IEND') {
    const end = at + PNG_FRAME + bytes.readUInt32BE(at)
    if (end > bytes.length) return undefined
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined
    // A part that must be understood, and is not.
    if (!PNG_PARTS.has(name) && /^[A-Z]/.test(name)) return undefined
    names.push(name)
    if (PNG_PARTS.has(name)) parts.push(bytes.subarray(at, end))
    at = end
  }
  const isWhole = names.at(-1) === 'IEND' && at === bytes.length && names.includes('IDAT')
  const hasHeader = names[0] === 'IHDR' && bytes.readUInt32BE(8) === 13
  if (!isWhole || !hasHeader || names.indexOf('IHDR', 1) > 0) return undefined
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  return { type: 'image/png', width, height, bytes: Buffer.concat(parts) }
}

const [SOI, EOI, SOS] = [0xd8, 0xd9, 0xda]
/** Baseline and progressive frames, as browsers show them. */
const JPEG_FRAMES = [0xc0, 0xc1, 0xc2]
/** Quantization, Huffman codes, restarts, and how colours are stored. */
const JPEG_PARTS = new Set([0xdb, 0xc4, 0xdd, 0xe0, 0xee, SOS, ...JPEG_FRAMES])

function readJpeg(bytes: Buffer): Picture | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== SOI) return undefined
  const parts: Buffer[] = [bytes.subarray(0, 2)]
  let size: { width: number; height: number } | undefined
  let hasData = false
  let at = 2
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff || marker === 0xff) return undefined
    if (marker === EOI) break
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length || end < at + 4) return undefined
    if (JPEG_FRAMES.includes(marker)) {
      if (size || end < at + 10) return undefined
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    const next = marker === SOS ? findMarker(bytes, end) : end
    hasData ||= marker === SOS
    if (JPEG_PARTS.has(marker)) parts.push(bytes.subarray(at, next))
    at = next
  }
  const isWhole = at + 2 === bytes.length && bytes[at] === 0xff && bytes[at + 1] === EOI
  if (!isWhole || !size || !hasData) return undefined
  return { type: 'image/jpeg', ...size, bytes: Buffer.concat([...parts, bytes.subarray(at)]) }
}

/** The next marker after coded data, in which 0xff is followed by 0 or a restart. */
function findMarker(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    const next = bytes[at + 1] ?? 0
    if (bytes[at] === 0xff && next !== 0 && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}

const WEBP_HEAD = 12
/** Of a picture with an alpha channel: the bits of its head that say so, and nothing else. */
const ALPHA = 0x10

function readWebp(bytes: Buffer): Picture | undefined {
  const isWebp =
    bytes.length > WEBP_HEAD + 8 &&
    bytes.toString('latin1', 0, 4) === 'RIFF' &&
    bytes.toString('latin1', 8, 12) === 'WEBP' &&
    bytes.readUInt32LE(4) + 8 === bytes.length
  if (!isWebp) return undefined
  const parts = new Map<string, Buffer>()
  let at = WEBP_HEAD
  while (at + 8 <= bytes.length) {
    const name = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    if (end > bytes.length || parts.has(name) || name.startsWith('ANI') || name === 'ANMF') {
      return undefined
    }
    parts.set(name, bytes.subarray(at, end))
    at = end
  }
  return at === bytes.length ? toWebp(parts) : undefined
}

function toWebp(parts: ReadonlyMap<string, Buffer>): Picture | undefined {
  const [lossy, lossless] = [parts.get('VP8 '), parts.get('VP8L')]
  const [head, alpha] = [parts.get('VP8X'), parts.get('ALPH')]
  const size = lossy ? readLossySize(lossy) : lossless && readLosslessSize(lossless)
  const picture = lossy ?? lossless
  if (!size || !picture || (lossy && lossless)) return undefined
  const needed = head && alpha && lossy ? [toAlphaHead(head), alpha, picture] : [picture]
  if (needed.some((part) => part === undefined)) return undefined
  const body = Buffer.concat(needed as Buffer[])
  const start = Buffer.alloc(WEBP_HEAD)
  start.write('RIFF', 0, 'latin1')
  start.writeUInt32LE(body.length + 4, 4)
  start.write('WEBP', 8, 'latin1')
  return { type: 'image/webp', ...size, bytes: Buffer.concat([start, body]) }
}

function readLossySize(part: Buffer): { width: number; height: number } | undefined {
  // A key frame begins with these three bytes, after the eight of the part and three of the frame.
  if (part.length < 18 || part.readUIntBE(11, 3) !== 0x9d012a) return undefined
  return { width: part.readUInt16LE(14) & 0x3fff, height: part.readUInt16LE(16) & 0x3fff }
}

function readLosslessSize(part: Buffer): { width: number; height: number } | undefined {
  if (part.length < 13 || part[8] !== 0x2f) return undefined
  const bits = part.readUInt32LE(9)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function toAlphaHead(head: Buffer): Buffer | undefined {
  if (head.length !== 18) return undefined
  const copy = Buffer.from(head)
  copy[8] = ALPHA
  return copy
}
