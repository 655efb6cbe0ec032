import { isDeepStrictEqual } from 'node:util'

import { takeSnapshot } from '../snapshot'
import type { Answer } from '../test-app'
import { readRefusal, type Transport } from '../transports'
import type { World } from '../world'

/** What became of a call that should be refused. */
type Verdict = {
  status: number
  /** It says why in a line, and nothing else. */
  isClear: boolean
  changedTables: string[]
}

export const refused = (status: number): Verdict => ({ status, isClear: true, changedTables: [] })

export async function judge(
  { testApp }: World,
  transport: Transport,
  makeCall: () => Promise<Pick<Answer, 'status' | 'body'>>,
): Promise<Verdict> {
  const before = await takeSnapshot(testApp.deps.db)
  const answer = await makeCall()
  const after = await takeSnapshot(testApp.deps.db)
  return {
    status: answer.status,
    isClear: /^[^\n]{5,160}$/.test(readRefusal(transport, answer) ?? ''),
    changedTables: Object.keys(after).filter(
      (table) => !isDeepStrictEqual(before[table], after[table]),
    ),
  }
}

/** A number beyond all bounds, which JSON can say and `JSON.stringify` cannot. */
export const HUGE = '@1e400@'
/** Lists in each other, more than there is stack for a recursion, which `JSON.stringify` cannot write. */
export const DEEP = `@${'['.repeat(20_000)}${']'.repeat(20_000)}@`

export const toJson = (value: unknown) =>
  JSON.stringify(value).replaceAll(/"@(1e400|\[+\]+)@"/g, '$1')

export const JSON_TYPE = { 'content-type': 'application/json' }
