// Imported first by every program. Node opens its debugger, to whoever connects to it, when any process of the
// same user sends it SIGUSR1: a process that reads suppliers' files could take over its parent. Node does not do
// so while there is a listener. In JavaScript, because the SQL process runs it from the sources as well.

process.on('SIGUSR1', () => undefined)

const FLAG = '--disable-sigusr1'

/**
 * The options with which a Node process is started, so that it has no debugger even before its listener.
 * Empty on versions before 22.14, which do not know the option.
 * @type {readonly string[]}
 */
export const WITHOUT_DEBUGGER = process.allowedNodeEnvironmentFlags.has(FLAG) ? [FLAG] : []
