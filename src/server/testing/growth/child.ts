import { measureGrowth } from './measure'
import { probes } from './probes'
import { listSubjects } from './subjects'

/** Runs what may hang or use up its memory, in a process that can be ended. */
const loading = listSubjects()

// At once: a message that comes before anybody listens is lost.
process.on('message', (name: string) => {
  void measure(name).then((answer) => process.send?.(answer))
})

async function measure(name: string) {
  const subjects = await loading
  const found = probes[name] ?? subjects.find((subject) => subject.name === name)?.growthCase
  if (!found || 'exempt' in found) return { failure: 'There is no case' }
  try {
    return { growths: await measureGrowth(found) }
  } catch (error) {
    return { failure: String(error) }
  }
}
