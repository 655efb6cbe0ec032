import { Buffer } from 'node:buffer'

import type { Draft } from '../feed/ingest'

export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number
  below(limit: number): number
  pick<T>(items: readonly T[]): T
}

/** The mulberry32 generator: equal seeds give equal numbers on every platform. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, pick: <T>(items: readonly T[]) => items[below(items.length)] as T }
}

/** Drafts in memory, with a record of those that still exist. */
export interface MemoryDrafts {
  open(): Promise<Draft>
  /** Drafts that were not discarded. */
  kept(): Draft[]
  opened(): number
}

export function createMemoryDrafts(): MemoryDrafts {
  const kept = new Set<Draft>()
  let opened = 0
  return {
    opened: () => opened,
    kept: () => [...kept],
    async open() {
      opened++
      const chunks: Uint8Array[] = []
      const draft: Draft = {
        async write(chunk) {
          chunks.push(Buffer.from(chunk))
        },
        async *read() {
          yield* chunks
        },
        async discard() {
          kept.delete(draft)
        },
      }
      kept.add(draft)
      return draft
    },
  }
}

/** Yields bytes in chunks of this size, as a network would. */
export async function* inChunks(bytes: Uint8Array, chunkBytes = 64 * 1024): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    yield Buffer.from(bytes.subarray(at, at + chunkBytes))
  }
}

export async function readAll(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}
