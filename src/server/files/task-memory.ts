// Memory that a process which runs one task at a time keeps from one task to the next: for a small file,
// allocating and collecting it takes longer than reading the file.

/** Smaller pieces cost nothing. */
const LEAST_BYTES = 4 * 1024
/** More is kept neither during a task nor for the next one: large files take long anyway. */
const MOST_BYTES = 16 * 1024 * 1024

/** Free memory by its size; undefined in a process that keeps none. */
let free: Map<number, ArrayBuffer[]> | undefined
/** What the running task has. */
let taken = new Set<ArrayBuffer>()
let takenBytes = 0

/** Keeps memory from now on, until the returned function is called. Only one task may run at a time. */
export function keepTaskMemory(): () => void {
  free = new Map()
  return () => {
    free = undefined
    forgetTaskMemory()
  }
}

/** Ends a task: nothing that it has taken is used any more. */
export function freeTaskMemory(): void {
  for (const memory of taken) keep(memory)
  forgetTaskMemory()
}

function keep(memory: ArrayBuffer): void {
  const same = free?.get(memory.byteLength) ?? []
  same.push(memory)
  free?.set(memory.byteLength, same)
}

/** Has the running task take the memory of a buffer or an array again, of which it uses nothing any more. */
export function giveBack({ buffer }: { buffer: ArrayBufferLike }): void {
  const memory = buffer as ArrayBuffer
  if (!taken.delete(memory)) return
  takenBytes -= memory.byteLength
  keep(memory)
}

/** Ends a task of which something may still be running: it keeps what it has taken. */
export function forgetTaskMemory(): void {
  taken = new Set()
  takenBytes = 0
}

/** A buffer for the running task, with any content. */
export const takeBuffer = (bytes: number): Buffer => Buffer.from(take(bytes), 0, bytes)

type Numbers =
  | Uint8ArrayConstructor
  | Uint32ArrayConstructor
  | Int32ArrayConstructor
  | Uint16ArrayConstructor

/** An array for the running task, with any content. */
export const takeNumbers = <Kind extends Numbers>(kind: Kind, length: number) =>
  new kind(take(length * kind.BYTES_PER_ELEMENT), 0, length) as InstanceType<Kind>

function take(bytes: number): ArrayBuffer {
  // By powers of two, so that the next task finds what fits.
  const size = 2 ** Math.ceil(Math.log2(bytes))
  if (!free || bytes < LEAST_BYTES || takenBytes + size > MOST_BYTES) return new ArrayBuffer(bytes)
  const memory = free.get(size)?.pop() ?? new ArrayBuffer(size)
  taken.add(memory)
  takenBytes += size
  return memory
}
