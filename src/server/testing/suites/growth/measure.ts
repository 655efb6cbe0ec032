import { performance } from 'node:perf_hooks'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

/** What an outsider can make the server do. */
export interface Task {
  /** @param sample to be called in the middle of the work, where memory may be held */
  run: (input: unknown, sample: () => void) => unknown
  /** Makers of inputs by name, for an approximate number of characters, bytes or items. */
  inputs: Readonly<Record<string, (size: number) => unknown>>
  /** The most that an outsider can send, or so much that whatever grows faster than it takes seconds. */
  largest: number
  /** The input of which most may be held at a time, besides the costliest, whichever that is. */
  heaviest?: string
  /** Makes an input that is longer than what may be held of it, where it may be larger than the largest above. */
  long?: () => unknown
  /** What it may hold, where its own bound is higher than that of the others. */
  mayHoldBytes?: number
}

/** Parts of the largest size; at the smallest, an input costs what it costs in any case. */
const SCREENED = [1 / 512, 1 / 8, 1 / 8]
const MEASURED = [1 / 512, 1 / 8, 1 / 2, 1]
/** Less at the largest size harms nobody, however it grows. */
const NOTICEABLE_MS = 20
/** A first run may take so much longer than the next, which need not compile the code. */
const COMPILING_MS = 60
/** A part of the input that takes longer is measured as if it was all of it. */
const SLOW_MS = 250
/** How much more each further byte may cost than those before it: 2.4 times as much where time is quadratic. */
const MAX_GROWTH = 1.8
/** How much larger the input is that tells whether a cost levels off. */
const LARGER = 4
/** More than disturbances cause. */
const CERTAIN_GROWTH = 2.2
/** Many, because other processes disturb a measurement: the least of them counts. */
const TRIES = 8
const FEW_TRIES = 4
/** Before each further try: what disturbs one disturbs those right after it as well. */
const PAUSE_MS = 500
/** More than all that is bounded. */
const MAY_HOLD_BYTES = 24 * 1024 * 1024
/** Collecting garbage at each chance would take longer than the work. */
const CHANCES_FOR_A_SAMPLE = 32

/**
 * Describes the first excess of a task; undefined when its time grows like its input, and its memory is bounded.
 * @param onRun is told the input of each run
 */
export async function findExcess(
  { run, inputs, largest, heaviest, long, mayHoldBytes = MAY_HOLD_BYTES }: Task,
  onRun: (input: string) => void,
): Promise<string | undefined> {
  let costliest = { ms: 0, input: '', make: (): unknown => undefined }
  for (const [input, make] of Object.entries(inputs)) {
    const cpuOfSize = async (size: number) => {
      onRun(input)
      return cpuOf(run, await make(Math.ceil(size)))
    }
    const { times, grows } = await measureInput(cpuOfSize, largest, long !== undefined)
    if (grows) return `${input}: ${describe(times)}`
    const ms = times.at(-1)?.ms ?? 0
    if (ms >= costliest.ms) costliest = { ms, input, make: () => make(largest) }
  }
  const makeHeaviest = heaviest !== undefined && inputs[heaviest]
  const makers = {
    [costliest.input]: costliest.make,
    ...(makeHeaviest && { [heaviest]: () => makeHeaviest(largest) }),
    ...(long && { 'a long input': long }),
  }
  for (const [input, make] of Object.entries(makers)) {
    onRun(input)
    const bytes = await memoryOf(run, await make())
    if (bytes > mayHoldBytes) return `${input}: ${bytes} bytes are held`
  }
  return undefined
}

/** The least time of several runs with a part of the largest input. */
interface Time {
  part: number
  ms: number
}

type CpuOfSize = (size: number) => Promise<number>

/** Measures a slow input at a smaller size first: excessive growth would take minutes at the largest. */
async function measureInput(
  cpuOfSize: CpuOfSize,
  largest: number,
  mayBeLarger: boolean,
): Promise<{ times: Time[]; grows: boolean }> {
  /** What grows may reach a bound soon: a larger size tells. */
  const levelsOff = async (times: Time[], size: number) =>
    (await cpuOfSize(LARGER * size)) <= LARGER * MAX_GROWTH * (times.at(-1)?.ms ?? 0)
  const part = largest / 16
  if ((await cpuOfSize(part)) > SLOW_MS) {
    const times = await measureTimes(cpuOfSize, part)
    if (growthOf(times) > MAX_GROWTH && !(await levelsOff(times, part)))
      return { times, grows: true }
  }
  const times = await measureTimes(cpuOfSize, largest)
  const grows = growthOf(times) > MAX_GROWTH
  return { times, grows: grows && !(mayBeLarger && (await levelsOff(times, largest))) }
}

/** Measures the whole alone where it costs little, and repeats only while the times grow too much. */
async function measureTimes(cpuOfSize: CpuOfSize, size: number): Promise<Time[]> {
  const least = new Map<number, number>()
  const measure = async (parts: number[]) => {
    for (const part of parts) {
      least.set(part, Math.min(least.get(part) ?? Infinity, await cpuOfSize(part * size)))
    }
    return [...least].map(([part, ms]) => ({ part, ms })).toSorted((a, b) => a.part - b.part)
  }
  let times = await measure([1])
  if (isBetween(times, NOTICEABLE_MS, COMPILING_MS)) times = await measure([1])
  if (isBetween(times, 0, NOTICEABLE_MS)) return times
  times = await measure(SCREENED)
  for (let tries = 1; growthOf(times) > MAX_GROWTH && tries <= TRIES; tries++) {
    if (tries > 1) await sleep(PAUSE_MS * tries)
    times = await measure(MEASURED)
    if (tries >= FEW_TRIES && growthOf(times) > CERTAIN_GROWTH) break
  }
  return times
}

const isBetween = (times: Time[], least: number, most: number) =>
  times.every(({ ms }) => least <= ms && ms < most)

/**
 * How much more each further part of an input costs than the part before it, at least. A cost that grows only
 * once, where buffers outgrow a cache, is none.
 */
function growthOf(times: Time[]): number {
  const slopes = times.slice(1).map(({ part, ms }, index) => {
    const before = times[index] ?? { part: 0, ms: 0 }
    return Math.max((ms - before.ms) / (part - before.part), NOTICEABLE_MS)
  })
  const steps = slopes.slice(1).map((slope, index) => slope / (slopes[index] ?? slope))
  return steps.length > 0 ? Math.min(...steps) : 0
}

const describe = (times: Time[]) =>
  `${times.map(({ part, ms }) => `${Math.round(ms)} for 1/${1 / part}`).join(', ')} ms of CPU`

/** CPU time of all threads, so that garbage collection counts, but at most the elapsed time. */
async function cpuOf(run: Task['run'], input: unknown): Promise<number> {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  await run(input, () => undefined)
  const { user, system } = process.cpuUsage(before)
  return Math.min(performance.now() - startedAt, (user + system) / 1_000)
}

/** The most memory in use beyond the input, in the middle of the work and with its result. */
async function memoryOf(run: Task['run'], input: unknown): Promise<number> {
  const before = await settledUse()
  let most = 0
  let chances = 0
  const result = await run(input, () => {
    if (++chances % CHANCES_FOR_A_SAMPLE === 0) most = Math.max(most, inUse())
  })
  const after = await settledUse()
  return Math.max(most, result === input ? 0 : after) - before
}

/** Memory in use once buffers are freed: that happens one turn after they are collected. */
async function settledUse(): Promise<number> {
  globalThis.gc?.()
  await setImmediate()
  return inUse()
}

function inUse(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
