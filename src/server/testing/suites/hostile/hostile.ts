import { isDeepStrictEqual } from 'node:util'

import { takeSnapshot } from '../../fixtures/snapshot'
import type { TestResponse } from '../../stages/test-app'
import { readRefusal, type Transport } from '../../stages/transports'
import type { World } from '../../stages/world'

/** The outcome of a call that should be refused. */
type Verdict = {
  status: number
  /** The body contains a one-line message and nothing else. */
  isClear: boolean
  changedTables: string[]
}

export const refused = (status: number): Verdict => ({ status, isClear: true, changedTables: [] })

export async function judge(
  { testApp }: World,
  transport: Transport,
  makeCall: () => Promise<Pick<TestResponse, 'status' | 'body'>>,
): Promise<Verdict> {
  const before = await takeSnapshot(testApp.deps.db)
  const response = await makeCall()
  const after = await takeSnapshot(testApp.deps.db)
  return {
    status: response.status,
    isClear: /^[^\n]{5,160}$/.test(readRefusal(transport, response) ?? ''),
    changedTables: Object.keys(after).filter(
      (table) => !isDeepStrictEqual(before[table], after[table]),
    ),
  }
}

/** A placeholder for the number 1e400, which `JSON.stringify` cannot write; see `toJson`. */
export const HUGE = '@1e400@'
/** A placeholder for lists nested deeper than `JSON.stringify` can recurse; see `toJson`. */
export const DEEP = `@${'['.repeat(20_000)}${']'.repeat(20_000)}@`

export const toJson = (value: unknown) =>
  JSON.stringify(value).replaceAll(/"@(1e400|\[+\]+)@"/g, '$1')

export const JSON_TYPE = { 'content-type': 'application/json' }
