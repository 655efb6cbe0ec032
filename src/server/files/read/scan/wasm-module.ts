/** Instructions of WebAssembly in binary form, as they follow each other in the body of a function. */
export type Code = readonly number[]

// Types of values.
const I32 = 0x7f
const V128 = 0x7b
const NOTHING = 0x40

/** An unsigned number in LEB128. */
function unsigned(value: number): number[] {
  const low = value & 0x7f
  return value < 0x80 ? [low] : [low | 0x80, ...unsigned(value >>> 7)]
}

const code = (...parts: Code[]): Code => parts.flat()
const vector = (instruction: number): Code => [0xfd, ...unsigned(instruction)]

/** The instructions that are used here; each takes its operands from the stack. */
export const wasm = {
  /** Instructions one after the other. */
  code,
  get: (local: number): Code => [0x20, local],
  set: (local: number): Code => [0x21, local],
  /** Of less than 64, which takes one byte, signed. */
  constant: (value: number): Code => [0x41, value],
  i32: {
    add: [0x6a],
    subtract: [0x6b],
    and: [0x71],
    isZero: [0x45],
    isAtLeast: [0x4f],
    countTrailingZeros: [0x68],
    store: [0x36, 2, 0],
  },
  /** Sixteen bytes at a time. */
  bytes: {
    load: [...vector(0), 0, 0],
    /** Sixteen times the same byte. */
    splat: vector(15),
    /** All bits set in each byte that is equal. */
    equal: vector(35),
    or: vector(80),
    /** The highest bit of each byte. */
    toBits: vector(100),
  },
  /** A loop in a block, which the condition leaves. */
  repeatUntil: (condition: Code, body: Code): Code =>
    code(
      [0x02, NOTHING, 0x03, NOTHING],
      code(condition, [0x0d, 1]),
      code(body, [0x0c, 0]),
      [0x0b, 0x0b],
    ),
}

/** A function of integers that returns one; its locals are numbered after its parameters. */
export interface WasmFunction {
  parameters: number
  /** How many integers, and how many values of sixteen bytes. */
  locals: { integers: number; vectors: number }
  code: Code
}

/** A module with a function `run`, and a memory of fixed size. @param pages of 64 KiB */
export function assembleModule(run: WasmFunction, pages: number): Uint8Array<ArrayBuffer> {
  const { integers, vectors } = run.locals
  const types = list(Array.from({ length: run.parameters }, () => [I32]))
  const locals = list([
    [integers, I32],
    [vectors, V128],
  ])
  const size = unsigned(pages)
  return Uint8Array.from(
    code(
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, [code([0x60], types, list([[I32]]))]),
      section(3, [[0]]),
      section(5, [code([1], size, size)]),
      section(7, [code(name('memory'), [2, 0]), code(name('run'), [0, 0])]),
      section(10, [sized(code(locals, run.code, [0x0b]))]),
    ),
  )
}

const list = (items: Code[]): Code => code(unsigned(items.length), ...items)
const sized = (bytes: Code): Code => code(unsigned(bytes.length), bytes)
const name = (text: string): Code => sized([...Buffer.from(text)])
const section = (id: number, items: Code[]): Code => code([id], sized(list(items)))
