import { readConfig } from '../../config'
import { openDeps } from '../../deps'
import { checkDestinations } from '../../features/distribution/destinations/check-destinations'
import { sendFiles } from '../../features/distribution/destinations/send-files'
import { createFileSender } from '../../files/send/file-sender'
import { createNetworkSender } from '../../files/send/send-file'
import { createLogger } from '../../observability/logger'
import { watchOperations } from './watch-operations'

// A script that sends the file of a destination, and kills itself before the n-th operation that changes the disk:
// failing-sending DATA_DIR N HOST. It prints the name of each operation before performing it.
const [dataDir, last, host = ''] = process.argv.slice(2)
const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'warn', MIN_FREE_BYTES: '0' })
const { deps, close } = await openDeps(config, createLogger(config))
// Sends from this process, so that nothing goes on after its end.
deps.sender = createFileSender(createNetworkSender({ now: Date.now, allow: [host] }))
await watchOperations(last)
const { signal } = new AbortController()
await checkDestinations(deps, signal)
await sendFiles(deps, 'quick', signal)
await close()
