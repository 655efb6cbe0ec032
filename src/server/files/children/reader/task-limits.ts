import { FileError } from '../../file-error'
import type { TaskProgress } from '../../file-readers'
import type { Usage } from '../process-usage'

/** The resources that one task may use. */
export interface TaskLimits {
  /** Resident memory beyond that of the idle process before its first task. */
  memoryBytes: number
  /** CPU time without another byte or row; waiting for the network does not count. */
  stuckCpuMs: number
  /** CPU time in total: this much, plus `cpuMsPerMegabyte` for each MB read. */
  cpuMs: number
  cpuMsPerMegabyte: number
}

const MEGABYTE = 1024 * 1024

export const defaultTaskLimits: TaskLimits = {
  memoryBytes: 170 * MEGABYTE,
  stuckCpuMs: 5_000,
  cpuMs: 10_000,
  cpuMsPerMegabyte: 1_000,
}

/** Compares a task's usage with its limits. */
export interface LimitWatch {
  note(progress: TaskProgress): void
  /** @returns an error that names the limit, if one has been exceeded */
  check(usage: Usage): FileError | undefined
}

/** @param start the CPU time at the task's start, and the memory of the idle process */
export function createLimitWatch(limits: TaskLimits, start: Usage): LimitWatch {
  let bytes = 0
  let rows = 0
  /** What was read of a container does not count less because its rows are counted from the beginning. */
  let mostBytes = 0
  let hasAdvanced = false
  let advancedAtCpuMs = start.cpuMs
  return {
    note({ bytes: received, rows: counted, storedBytes = 0 }) {
      const read = received + storedBytes
      if (read === bytes && counted === rows) return
      bytes = read
      rows = counted
      mostBytes = Math.max(mostBytes, bytes)
      hasAdvanced = true
    },
    check({ cpuMs, memoryBytes }) {
      if (hasAdvanced) advancedAtCpuMs = cpuMs
      hasAdvanced = false
      if (memoryBytes - start.memoryBytes > limits.memoryBytes) return tookTooMuchMemory()
      const allowedMs = limits.cpuMs + (limits.cpuMsPerMegabyte * mostBytes) / MEGABYTE
      if (cpuMs - start.cpuMs > allowedMs) return tookTooLong(limits)
      return cpuMs - advancedAtCpuMs > limits.stuckCpuMs ? gotStuck(limits) : undefined
    },
  }
}

export function tookTooMuchMemory(): FileError {
  return new FileError(
    'reading-memory',
    'Reading the file took more memory than allowed. Check that it is a plain CSV file.',
  )
}

function tookTooLong({ cpuMs, cpuMsPerMegabyte }: TaskLimits): FileError {
  return new FileError(
    'reading-time',
    `Reading the file took more than ${cpuMs / 1_000} seconds of CPU time plus ${cpuMsPerMegabyte / 1_000} for each MB.`,
  )
}

function gotStuck({ stuckCpuMs }: TaskLimits): FileError {
  return new FileError(
    'reading-time',
    `Reading the file made no progress in ${stuckCpuMs / 1_000} seconds of CPU time.`,
  )
}

export function endedUnexpectedly(): FileError {
  return new FileError(
    'reading-ended',
    'Reading the file ended unexpectedly. Check that it is a plain CSV file.',
  )
}
