import type { FileTasks, TaskKind, TaskProgress } from '../file-readers'
import type { ChildExit } from './child-link'
import type { Failure } from './failure'

export type ToThread =
  | {
      type: 'run'
      id: number
      kind: TaskKind
      task: FileTasks[TaskKind]['task']
      /** Whether it must wait for slots at hosts. */
      isGated: boolean
    }
  | { type: 'abort'; id: number }
  | { type: 'entered'; id: number; slot: number }
  | { type: 'close' }

export type FromThread =
  | { type: 'progress'; id: number; progress: TaskProgress }
  | { type: 'enter'; id: number; slot: number; host: string }
  | { type: 'leave'; id: number; slot: number }
  | { type: 'done'; id: number; result: FileTasks[TaskKind]['result'] }
  | { type: 'failed'; id: number; failure: Failure }
  /** A process exited unexpectedly. */
  | { type: 'exit'; exit: ChildExit }
