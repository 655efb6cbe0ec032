import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'

export interface Task {
  run: (input: unknown) => unknown
  /** Inputs by name, of about so many characters, bytes or items. */
  inputs: Readonly<Record<string, (size: number) => unknown>>
  /** The largest size that is tried while a run takes too little to be measured. */
  largest: number
}

/** What a run costs at a size, twice it and four times it. */
export interface Growth {
  input: string
  size: number
  /** Empty where the largest input takes less than can be measured. */
  cpuMs: number[]
  keptBytes: number[]
}

const MAX_GROWTH = 2.6
const MEASURABLE_MS = 50
const LONG_FOR_A_FIRST_MS = 0.3
const TRIES = 3
const FIRST_SIZE = 1_024
/** What grows too fast stands out here, whatever its fixed cost is. */
const SCREENING_SIZES = [1_024, 4_096] as const
/** Four times the size takes more than that only where something is wrong. */
const STEEP = { growth: 10, ms: 20 }
/** Growth over four times the size that no second look can make good. */
const HOPELESS = 12
/** Less is noise: a table that was built, a function that was compiled. */
const NOTICEABLE_BYTES = 4 * 1024 * 1024
const GIVEN_BACK_BYTES = 512 * 1024
/** Of cleaning up: what is kept for good is still there after them. */
const MAX_ROUNDS = 4

/** Measures a task with the input that costs it most, and with the one whose cost grows fastest. */
export async function measureGrowth(task: Task): Promise<Growth[]> {
  const costs = await screen(task)
  const costliest = costs.toSorted((a, b) => b.ms - a.ms)[0]
  const steepest = costs.toSorted((a, b) => b.growth - a.growth)[0]
  const growths: Growth[] = []
  for (const input of new Set([costliest?.input, steepest?.input])) {
    const make = input === undefined ? undefined : task.inputs[input]
    if (input === undefined || !make) throw new Error('There are no inputs')
    growths.push({ input, ...(await measureInput(task, make)) })
  }
  return growths
}

async function screen({ run, inputs, largest }: Task) {
  const costs: { input: string; ms: number; growth: number }[] = []
  for (const [input, make] of Object.entries(inputs)) {
    const [small = 0, ms = 0] = await cpuOfSizes(run, make, SCREENING_SIZES, largest)
    const growth = ms / (small + 1)
    if (growth > STEEP.growth && ms > STEEP.ms) return [{ input, ms, growth }]
    costs.push({ input, ms, growth })
  }
  return costs
}

/** The better of two runs, where the first one may have cost so much by being the first. */
async function cpuOfSizes(
  run: Task['run'],
  make: (size: number) => unknown,
  sizes: readonly number[],
  largest: number,
): Promise<number[]> {
  const costs = []
  for (const size of sizes) {
    const input = make(Math.min(size, largest))
    const { ms } = await cpuOf(run, input)
    const isTelling = ms < LONG_FOR_A_FIRST_MS || ms > 2 * MEASURABLE_MS
    costs.push(isTelling ? ms : Math.min(ms, (await cpuOf(run, input)).ms))
  }
  return costs
}

async function measureInput(
  { run, largest }: Task,
  make: (size: number) => unknown,
): Promise<Omit<Growth, 'input'>> {
  let size = Math.min(FIRST_SIZE, largest)
  let [ms = 0] = await cpuOfSizes(run, make, [size], largest)
  while (ms < MEASURABLE_MS && size < largest) {
    const factor = Math.min(Math.max(MEASURABLE_MS / (ms + 1), 2), 8)
    size = Math.min(Math.ceil(size * factor), largest)
    ;[ms = 0] = await cpuOfSizes(run, make, [size], largest)
  }
  if (ms >= MEASURABLE_MS) return measureSizes(run, make, size)
  const kept = await keptOf(run, make(size))
  if (kept.bytes < NOTICEABLE_BYTES) return { size, cpuMs: [], keptBytes: [kept.bytes] }
  return { ...(await measureBest(run, make, Math.ceil(size / 4))), cpuMs: [] }
}

/**
 * A cost may leap once, where the work outgrows a cache or the room for young objects: so twice the
 * size gets a chance as well. What grows too fast does so at every size.
 */
async function measureSizes(run: Task['run'], make: (size: number) => unknown, size: number) {
  const costs = await measureBest(run, make, size)
  const isDecided = isLinearCost(costs) || isHopeless(costs.cpuMs)
  return isDecided ? costs : measureBest(run, make, 2 * size)
}

function isHopeless([first = 0, , last = 0]: number[]): boolean {
  return last > HOPELESS * first
}

/** Tries again only while the best so far grows too much. */
async function measureBest(run: Task['run'], make: (size: number) => unknown, size: number) {
  const sizes = [size, 2 * size, 4 * size]
  const cpuMs = sizes.map(() => Infinity)
  const keptBytes = sizes.map(() => Infinity)
  for (let attempt = 0; attempt < TRIES; attempt++) {
    for (const [index, each] of sizes.entries()) {
      const { ms, bytes } = await keptOf(run, make(each))
      cpuMs[index] = Math.min(cpuMs[index] ?? 0, ms)
      keptBytes[index] = Math.min(keptBytes[index] ?? 0, bytes)
    }
    if (isLinearCost({ cpuMs, keptBytes }) || isHopeless(cpuMs)) break
  }
  return { size, cpuMs, keptBytes }
}

function isLinearCost({ cpuMs, keptBytes }: Pick<Growth, 'cpuMs' | 'keptBytes'>): boolean {
  return isLinear(cpuMs) && isLinear(keptBytes, NOTICEABLE_BYTES)
}

function isLinear(values: number[], least = 0): boolean {
  const counted = values.map((value) => Math.max(value, least))
  return counted.slice(1).every((value, index) => value <= MAX_GROWTH * (counted[index] ?? 0))
}

/** What is wrong with a growth; undefined when it is linear. */
export function describeExcess({ input, size, cpuMs, keptBytes }: Growth): string | undefined {
  const show = (values: number[]) => values.map(Math.round).join(', ')
  if (!isLinear(cpuMs)) return `${input}: ${show(cpuMs)} ms of CPU from size ${size} on`
  if (isLinear(keptBytes, NOTICEABLE_BYTES)) return undefined
  return `${input}: ${show(keptBytes)} bytes are kept from size ${size} on`
}

/** Runs once, and looks at what is kept while the result is held. */
async function keptOf(run: Task['run'], input: unknown): Promise<{ ms: number; bytes: number }> {
  const before = await memoryInUse()
  const { ms, result } = await cpuOf(run, input)
  const bytes = (await memoryInUse()) - before
  return { ms, bytes: result === input ? 0 : bytes }
}

/** CPU time of all threads, so that cleaning up counts; of short runs the time that has passed. */
async function cpuOf(run: Task['run'], input: unknown): Promise<{ ms: number; result: unknown }> {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const result = await run(input)
  const { user, system } = process.cpuUsage(before)
  const wallMs = performance.now() - startedAt
  return { ms: Math.min(wallMs, (user + system) / 1_000), result }
}

/** What buffers take once those of no use are given back: the least that was ever seen. */
let leastExternal = Infinity

/** Again while buffers may still be given back, which takes a turn after they were found to be of no use. */
async function memoryInUse(): Promise<number> {
  for (let round = 1; ; round++) {
    globalThis.gc?.()
    await setImmediate()
    const { heapUsed, external } = process.memoryUsage()
    leastExternal = Math.min(leastExternal, external)
    const isSettled = external < leastExternal + GIVEN_BACK_BYTES
    if (isSettled || round === MAX_ROUNDS) return heapUsed + external
  }
}
