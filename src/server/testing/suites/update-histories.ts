import { Readable } from 'node:stream'

import { saveGuard } from '../../features/publication/publishing/guard'
import { NO_GUARD } from '../fixtures/factories'
import { type Random } from '../fixtures/file-fixtures'
import { FULL_NAME, readTable, type UpdateHistory } from '../fixtures/update-histories'
import { openByHandStage } from '../stages/by-hand-stage'

/**
 * Sends the files of a history to a connection, of which several wait now and then.
 * @returns after which files something else was published than was expected
 */
export async function replayHistory({ removal, steps }: UpdateHistory, random: Random) {
  const updates = { removal, fullName: FULL_NAME }
  const stage = await openByHandStage({}, undefined, { updates })
  const wrong: string[] = []
  try {
    const { deps, supplier, id } = stage
    await saveGuard(deps, supplier, { id, guard: NO_GUARD })
    for (const [index, { name, isFull, content, published }] of steps.entries()) {
      const body = Readable.from([Buffer.from(content, 'base64')])
      await stage.sendBody(name, body, isFull ?? undefined)
      if (index < steps.length - 1 && random.below(3) === 0) continue
      await deps.work()
      const found = readTable((await stage.publishedText()) ?? '')
      if (JSON.stringify(found) !== JSON.stringify(published)) wrong.push(`${index} ${name}`)
    }
    const states = Object.entries(await stage.states())
    for (const { name, isRefused } of steps.slice(-states.length)) {
      const state = states.find(([sent]) => sent === name)?.[1]
      if ((state === 'refused') !== isRefused) wrong.push(`${name} is ${state}`)
    }
  } finally {
    await stage.close()
  }
  return wrong
}
