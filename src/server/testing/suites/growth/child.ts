import { measureGrowth } from './measure'
import { probes } from './probes'
import { listSubjects } from './subjects'

/** Runs cases that may hang or exhaust memory, in a process that can be killed. */
const loading = listSubjects()

// Registered synchronously: a message that arrives without a listener is lost.
process.on('message', (name: string) => {
  void measure(name).then((result) => process.send?.(result))
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
