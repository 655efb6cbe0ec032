import { crc32, deflateSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { readPicture } from './picture'

function part(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

const START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const HEAD = Buffer.from([0, 0, 0, 2, 0, 0, 0, 1, 8, 0, 0, 0, 0])
const DATA = part('IDAT', deflateSync(Buffer.from([0, 1, 2])))
const png = (...more: Buffer[]) =>
  Buffer.concat([START, part('IHDR', HEAD), ...more, DATA, part('IEND', Buffer.alloc(0))])

const segment = (marker: number, content: number[]) => [
  0xff,
  marker,
  0,
  content.length + 2,
  ...content,
]
const jpeg = (...more: number[]) =>
  Buffer.from([
    0xff,
    0xd8,
    ...more,
    ...segment(0xc0, [8, 0, 3, 0, 4, 1, 1, 0x11, 0]),
    ...segment(0xda, [1, 1, 0, 0, 63, 0]),
    1,
    0xff,
    0,
    2,
    0xff,
    0xd0,
    3,
    0xff,
    0xd9,
  ])

function webp(...parts: [string, Buffer][]): Buffer {
  const body = Buffer.concat(
    parts.map(([name, content]) => {
      const head = Buffer.alloc(8)
      head.write(name, 'latin1')
      head.writeUInt32LE(content.length, 4)
      return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
    }),
  )
  const start = Buffer.alloc(12)
  start.write('RIFF', 0, 'latin1')
  start.writeUInt32LE(body.length + 4, 4)
  start.write('WEBP', 8, 'latin1')
  return Buffer.concat([start, body])
}
const lossless: [string, Buffer] = ['VP8L', Buffer.from([0x2f, 6, 0x40, 0, 0, 9, 9, 9])]
const lossy: [string, Buffer] = ['VP8 ', Buffer.from([0, 0, 0, 0x9d, 1, 0x2a, 5, 0, 6, 0])]

describe('a picture', () => {
  it.each([
    ['PNG', png(), { type: 'image/png', width: 2, height: 1 }],
    ['JPEG', jpeg(), { type: 'image/jpeg', width: 4, height: 3 }],
    ['WebP without loss', webp(lossless), { type: 'image/webp', width: 7, height: 2 }],
    ['WebP with loss', webp(lossy), { type: 'image/webp', width: 5, height: 6 }],
  ])('is read as it is: %s', (_kind, bytes, expected) => {
    expect(readPicture(bytes)).toEqual({ ...expected, bytes })
  })

  it.each([
    ['PNG', png(part('tEXt', Buffer.from('Author\0Ada'))), png()],
    ['JPEG', jpeg(...segment(0xe1, [1, 2, 3]), ...segment(0xfe, [65])), jpeg()],
    ['WebP', webp(lossless, ['EXIF', Buffer.from('where')]), webp(lossless)],
  ])('loses what is not shown: %s', (_kind, bytes, expected) => {
    expect(readPicture(bytes)?.bytes).toEqual(expected)
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a drawing with scripts', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1')],
    ['a page behind a picture', Buffer.concat([png(), Buffer.from('<script>')])],
    ['a page behind a photo', Buffer.concat([jpeg(), Buffer.from('<script>')])],
    ['a wrong checksum', Buffer.from(png()).fill(7, 29, 30)],
    ['a part that must be understood', png(part('ABCD', Buffer.alloc(1)))],
    ['a second header', png(part('IHDR', HEAD))],
    ['no frame', Buffer.from([0xff, 0xd8, ...segment(0xda, [1]), 0xff, 0xd9])],
    ['an animation', webp(['ANIM', Buffer.alloc(6)], lossy)],
    ['a size that is not its own', Buffer.from(webp(lossy)).fill(1, 4, 5)],
  ])('is not %s', (_what, bytes) => {
    expect(readPicture(bytes)).toBeUndefined()
  })

  it('that is cut at any place is none', () => {
    for (const whole of [png(), jpeg(), webp(lossy), webp(lossless)]) {
      for (let length = 0; length < whole.length; length++) {
        expect(readPicture(whole.subarray(0, length))).toBeUndefined()
      }
    }
  })
})
