import { cases } from './cases'
import { findExcess } from './measure'
import { probes } from './probes'
import type { Message } from './processes'

const send = (message: Message) => process.send?.(message)

process.on('message', (name: string) => {
  void measure(name).then((excess) => send({ excess }))
})

async function measure(name: string): Promise<string> {
  const found = probes[name] ?? cases[name]
  if (!found) return 'There is no case'
  try {
    return (await findExcess(found, (input) => send({ input }))) ?? ''
  } catch (error) {
    return String(error)
  }
}
