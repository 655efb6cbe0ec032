// Loaded by Node before the program that reads files. Node's permission model does not cover what a process may do
// to others of its user: end them, open their debugger, or slow them down. Nothing here has a use for that.
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

import '../../process/without-debugger.mjs'

/** @returns {never} */
function refuse() {
  throw Object.assign(new Error('Other processes cannot be reached from here'), {
    code: 'ERR_ACCESS_DENIED',
  })
}

// `kill` calls `_kill`, and keeps doing so wherever it has been copied to.
Object.assign(process, { kill: refuse, _kill: refuse, _debugProcess: refuse })
Object.assign(os, { setPriority: refuse })
syncBuiltinESMExports()
