import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

import type { ProcessRole } from '../../shared/constants'
import type { Config } from '../config'
import type { OwnProcess } from '../features/operations/system/processes'

/** What others are told of this process. */
export const describeOwnProcess = (role: ProcessRole): OwnProcess => ({
  id: randomUUID(),
  role,
  host: hostname().slice(0, 255),
  pid: process.pid,
  runtime: `Node ${process.version}`,
})

/** What the process of `npm start` does. */
export function roleOfMain({ webProcesses, hasInlineWorker }: Config): ProcessRole {
  if (webProcesses > 1) return hasInlineWorker ? 'worker' : 'parent'
  return hasInlineWorker ? 'all' : 'web'
}
