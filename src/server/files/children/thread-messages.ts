import type { FileTasks, TaskKind, TaskProgress } from '../file-readers'
import type { OpenableSource } from '../sources/fetch-source'
import type { ChildExit } from './child-link'
import type { Failure } from './failure'

type Task = FileTasks[TaskKind]['task']

export type ToThread =
  | {
      type: 'run'
      id: number
      kind: TaskKind
      /** null: it is asked for once its source has something to read. */
      task: Task | null
      source: OpenableSource | undefined
      /** Whether it must wait for slots at hosts. */
      isGated: boolean
    }
  | { type: 'abort'; id: number }
  | { type: 'task'; id: number; task: Task }
  | { type: 'entered'; id: number; slot: number }
  | { type: 'close' }

export type FromThread =
  | { type: 'progress'; id: number; progress: TaskProgress }
  /** Asks for a task. */
  | { type: 'make'; id: number }
  | { type: 'enter'; id: number; slot: number; host: string }
  | { type: 'leave'; id: number; slot: number }
  | { type: 'done'; id: number; result: FileTasks[TaskKind]['result'] }
  | { type: 'failed'; id: number; failure: Failure }
  /** A process exited unexpectedly. */
  | { type: 'exit'; exit: ChildExit }
