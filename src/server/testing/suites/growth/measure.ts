import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { GCProfiler } from 'node:v8'

export interface Task {
  run: (input: unknown) => unknown
  /** Makers of inputs by name, for an approximate number of characters, bytes or items. */
  inputs: Readonly<Record<string, (size: number) => unknown>>
  /** The maximum size to try while a run is too short to be measured. */
  largest: number
}

/** The cost of a run at `size`, twice `size` and four times `size`. */
export interface Growth {
  input: string
  size: number
  /** Empty when even the largest input is too short to be measured. */
  cpuMs: number[]
  keptBytes: number[]
}

/** For twice the size, on average. */
const MAX_GROWTH = 2.6
const MEASURABLE_MS = 15
const SLOW_FIRST_RUN_MS = 0.3
/** Many, because other processes disturb a measurement: the best of them counts. */
const TRIES = 8
const FIRST_SIZE = 1_024
/** Sizes at which excessive growth is visible despite fixed costs. */
const SCREENING_SIZES = [1_024, 4_096] as const
/** Growth over four times the size that is certainly excessive. */
const STEEP = { growth: 10, ms: 20 }
/** Growth for twice the size, at each step, that more repetitions or larger inputs would not correct. */
const HOPELESS = { growth: 2.8, tries: 3 }
/** A cost may jump where buffers double or outgrow a cache. Excessive growth shows at every size. */
const LARGER_SIZES = [2, 4] as const
/** How much longer than before a run takes that another process has disturbed. */
const DISTURBED = 1.5
/** Less is noise, such as a table that was built or a function that was compiled. */
const NOTICEABLE_BYTES = 4 * 1024 * 1024
const SETTLED_BYTES = 512 * 1024
/** Rounds of garbage collection; memory still in use after them is really retained. */
const MAX_ROUNDS = 4

/** Measures a task with its most expensive input and with the one whose cost grows fastest. */
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

/** CPU times by size: the better of two runs where the first may have been slow by being first. */
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
    const isConclusive = ms < SLOW_FIRST_RUN_MS || ms > 2 * MEASURABLE_MS
    costs.push(isConclusive ? ms : Math.min(ms, (await cpuOf(run, input)).ms))
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
  if (ms >= MEASURABLE_MS) return measureSizes(run, make, size, ms)
  const kept = await keptOf(run, make(size))
  if (kept.bytes < NOTICEABLE_BYTES) return { size, cpuMs: [], keptBytes: [kept.bytes] }
  return { ...(await measureBest(run, make, Math.ceil(size / 4))), cpuMs: [] }
}

/** Tries larger sizes as long as the cost grows too much. */
async function measureSizes(
  run: Task['run'],
  make: (size: number) => unknown,
  size: number,
  knownMs: number,
) {
  let costs = await measureBest(run, make, size, knownMs)
  for (const factor of LARGER_SIZES) {
    if (isLinearCost(costs) || isHopeless(costs.cpuMs)) break
    costs = await measureBest(run, make, factor * size)
  }
  return costs
}

/** A cost that jumps once grows that much at one of the two steps only. */
function isHopeless([first = 0, second = 0, last = 0]: number[]): boolean {
  return second > HOPELESS.growth * first && last > HOPELESS.growth * second
}

/**
 * The minimum of several runs; repeats only while the best so far grows too much.
 * @param knownMs what an earlier run at `size` took: a first run that takes clearly longer was disturbed,
 *   and would hide growth
 */
async function measureBest(
  run: Task['run'],
  make: (size: number) => unknown,
  size: number,
  knownMs = Infinity,
) {
  const sizes = [size, 2 * size, 4 * size]
  const cpuMs = sizes.map(() => Infinity)
  // Collecting garbage takes longer than most runs: smaller sizes matter only if the largest retains.
  const keptBytes = [0, 0, Infinity]
  for (let attempt = 0; attempt < TRIES; attempt++) {
    for (const [index, each] of sizes.entries()) {
      const input = make(each)
      const isRetained = keptBytes[index] !== 0
      const { ms, bytes } = isRetained ? await keptOf(run, input) : await costOf(run, input)
      cpuMs[index] = Math.min(cpuMs[index] ?? 0, ms)
      keptBytes[index] = Math.min(keptBytes[index] ?? 0, bytes)
    }
    const isDisturbed = (cpuMs[0] ?? 0) > DISTURBED * knownMs
    if (!isDisturbed && isLinearCost({ cpuMs, keptBytes })) break
    if (attempt + 1 >= HOPELESS.tries && isHopeless(cpuMs)) break
    if (attempt === 0 && !isLinear(keptBytes, NOTICEABLE_BYTES)) keptBytes.fill(Infinity)
  }
  return { size, cpuMs, keptBytes }
}

function isLinearCost({ cpuMs, keptBytes }: Pick<Growth, 'cpuMs' | 'keptBytes'>): boolean {
  return isLinear(cpuMs) && isLinear(keptBytes, NOTICEABLE_BYTES)
}

/** Compares the first size with the last, four times as large: a cost may jump once in between. */
function isLinear(values: number[], least = 0): boolean {
  const [first = 0] = values
  const last = values.at(-1) ?? 0
  return Math.max(last, least) <= MAX_GROWTH ** 2 * Math.max(first, least)
}

/** Describes excessive growth; undefined when the growth is linear. */
export function describeExcess({ input, size, cpuMs, keptBytes }: Growth): string | undefined {
  const show = (values: number[]) => values.map(Math.round).join(', ')
  const excesses = [
    ...(isLinear(cpuMs) ? [] : [`${show(cpuMs)} ms of CPU`]),
    ...(isLinear(keptBytes, NOTICEABLE_BYTES) ? [] : [`${show(keptBytes)} bytes are retained`]),
  ]
  return excesses.length > 0
    ? `${input}: ${excesses.join(' and ')} from size ${size} on`
    : undefined
}

const costOf = async (run: Task['run'], input: unknown) => ({
  ...(await cpuOf(run, input)),
  bytes: 0,
})

type Kept = { ms: number; bytes: number }

/** Runs once, and measures the memory retained while the result is referenced. */
async function keptOf(run: Task['run'], input: unknown): Promise<Kept> {
  const bound = await boundOfKept(run, input)
  return bound && bound.bytes < NOTICEABLE_BYTES ? bound : collectedOf(run, input)
}

/**
 * The most that a run may have retained: what is left when only young objects are collected, which
 * takes a hundredth of the time of a whole collection. undefined when older objects may have been
 * freed as well, so that nothing can be said.
 */
async function boundOfKept(run: Task['run'], input: unknown): Promise<Kept | undefined> {
  const profiler = new GCProfiler()
  profiler.start()
  const before = await youngCollected()
  const { ms, result } = await cpuOf(run, input)
  const after = await youngCollected()
  const collections = profiler.stop()?.statistics ?? []
  const isComparable = collections.every(({ gcType }) => gcType === 'Scavenge')
  if (!isComparable || !isSettled(before, input)) return undefined
  return { ms, bytes: result === input ? 0 : sumOf(after) - sumOf(before) }
}

async function youngCollected(): Promise<NodeJS.MemoryUsage> {
  globalThis.gc?.({ type: 'minor', execution: 'sync' })
  await setImmediate()
  return process.memoryUsage()
}

async function collectedOf(run: Task['run'], input: unknown): Promise<Kept> {
  const before = await collected(input)
  externalInUse = before.external - externalBytesOf(input)
  const { ms, result } = await cpuOf(run, input)
  const after = await collected(input)
  return { ms, bytes: result === input ? 0 : sumOf(after) - sumOf(before) }
}

/** CPU time of all threads, so that garbage collection counts, but at most the elapsed time. */
async function cpuOf(run: Task['run'], input: unknown): Promise<{ ms: number; result: unknown }> {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const result = await run(input)
  const { user, system } = process.cpuUsage(before)
  const wallMs = performance.now() - startedAt
  return { ms: Math.min(wallMs, (user + system) / 1_000), result }
}

/**
 * External memory (buffers) in use before the last run that was measured so, without that of its
 * input; undefined before the first one.
 */
let externalInUse: number | undefined

/** Memory in use. Repeats the collection, because buffers are freed one turn after it. */
async function collected(input: unknown): Promise<NodeJS.MemoryUsage> {
  for (let round = 1; ; round++) {
    globalThis.gc?.()
    await setImmediate()
    const memory = process.memoryUsage()
    if (isSettled(memory, input) || round === MAX_ROUNDS) return memory
  }
}

/** Whether the buffers of earlier runs are freed: what frees them later would hide what is retained. */
const isSettled = ({ external }: NodeJS.MemoryUsage, input: unknown) =>
  externalInUse !== undefined && external < externalInUse + externalBytesOf(input) + SETTLED_BYTES

const externalBytesOf = (input: unknown) => (input instanceof Uint8Array ? input.byteLength : 0)

const sumOf = ({ heapUsed, external }: NodeJS.MemoryUsage) => heapUsed + external
