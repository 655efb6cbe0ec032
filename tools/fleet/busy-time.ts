import { cpus } from 'node:os'

/** Milliseconds that the machine's processors have been busy, and that have passed on them. */
export function readProcessorTimes(): { busy: number; all: number } {
  const times = cpus().map(({ times: { idle, ...rest } }) => {
    const busy = Object.values(rest).reduce((sum, ms) => sum + ms, 0)
    return { busy, all: busy + idle }
  })
  const sum = (key: 'busy' | 'all') => times.reduce((total, time) => total + time[key], 0)
  return { busy: sum('busy'), all: sum('all') }
}
